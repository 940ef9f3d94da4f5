/* SQLite (Debian: libsqlite3-dev). Swift sees sqlite3.h as it is. */
#if !__has_include(<sqlite3.h>)
#error "sqlite3.h not found: install SQLite's headers (Debian: apt-get install libsqlite3-dev)"
#endif
#include <sqlite3.h>
