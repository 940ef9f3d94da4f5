/* libyaml (Debian: libyaml-dev). Swift sees yaml.h as it is. */
#if !__has_include(<yaml.h>)
#error "yaml.h not found: install libyaml's headers (Debian: apt-get install libyaml-dev)"
#endif
#include <yaml.h>
