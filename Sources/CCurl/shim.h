/* libcurl (Debian: libcurl4-openssl-dev). curl_easy_setopt and its relatives are variadic, which Swift cannot call: one
   typed inline wrapper for each kind of argument. */
#if !__has_include(<curl/curl.h>)
#error "curl/curl.h not found: install libcurl's headers (Debian: apt-get install libcurl4-openssl-dev)"
#endif
#include <curl/curl.h>
