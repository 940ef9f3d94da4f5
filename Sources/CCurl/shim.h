/* libcurl (Debian: libcurl4-openssl-dev). curl_easy_setopt and its relatives are variadic, which Swift cannot call: one
   typed inline wrapper for each kind of argument. */
#if !__has_include(<curl/curl.h>)
#error "curl/curl.h not found: install libcurl's headers (Debian: apt-get install libcurl4-openssl-dev)"
#endif
#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or newer is needed"
#endif

typedef size_t (*dl_curl_data)(char *bytes, size_t size, size_t count, void *context);
typedef int (*dl_curl_report)(CURL *easy, curl_infotype kind, char *text, size_t length, void *context);

/* Options of an easy handle, by the C type of the argument. Strings are copied by libcurl; NULL restores the default. */
static inline CURLcode dl_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode dl_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode dl_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode dl_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode dl_curl_set_data(CURL *easy, CURLoption option, dl_curl_data function) {
  return curl_easy_setopt(easy, option, function);
}
static inline CURLcode dl_curl_set_report(CURL *easy, CURLoption option, dl_curl_report function) {
  return curl_easy_setopt(easy, option, function);
}

/* Facts of an easy handle; zero or NULL where there is none. */
static inline long dl_curl_long(CURL *easy, CURLINFO fact) {
  long value = 0;
  return curl_easy_getinfo(easy, fact, &value) == CURLE_OK ? value : 0;
}
static inline curl_off_t dl_curl_offset(CURL *easy, CURLINFO fact) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, fact, &value) == CURLE_OK ? value : 0;
}
static inline void *dl_curl_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? (void *)value : NULL;
}

static inline CURLMcode dl_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* The next finished easy handle and how it ended, or NULL: CURLMsg holds a union. */
static inline CURL *dl_curl_next_done(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
