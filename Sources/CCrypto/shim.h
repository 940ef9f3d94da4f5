/* OpenSSL's libcrypto (Debian: libssl-dev). The low-level SHA-256 context is deprecated but is the only one whose state
   can be copied out and continued later: EVP contexts of OpenSSL 3.0 have no export. */
#define OPENSSL_SUPPRESS_DEPRECATED
#if !__has_include(<openssl/evp.h>)
#error "openssl/evp.h not found: install OpenSSL's headers (Debian: apt-get install libssl-dev)"
#endif
#include <openssl/evp.h>
#include <openssl/sha.h>
