/* libcurl (Debian: libcurl4-openssl-dev), loaded when it is needed and not with the program: with the libraries below it,
   it takes half of the time in which the program starts, and most runs transfer nothing. */
#if !__has_include(<curl/curl.h>)
#error "curl/curl.h not found: install libcurl's headers (Debian: apt-get install libcurl4-openssl-dev)"
#endif
#include <curl/curl.h>

/* The oldest one whose headers and whose library will do: 7.87. */
#define DL_CURL_OLDEST 0x075700
#if LIBCURL_VERSION_NUM < DL_CURL_OLDEST
#error "libcurl 7.87 or newer is needed"
#endif

/* Every function that is used. */
#define DL_CURL_FUNCTIONS(X)                                                                                         \
  X(curl_global_init) X(curl_version) X(curl_version_info) X(curl_slist_append) X(curl_slist_free_all)               \
  X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_reset) X(curl_easy_pause) X(curl_easy_setopt)                   \
  X(curl_easy_getinfo) X(curl_multi_init) X(curl_multi_cleanup) X(curl_multi_add_handle)                             \
  X(curl_multi_remove_handle) X(curl_multi_perform) X(curl_multi_poll) X(curl_multi_wakeup) X(curl_multi_setopt)     \
  X(curl_multi_info_read)

/* The table of them, empty before dl_curl_load. Names in parentheses, because curl.h has macros for some. */
struct dl_curl_table {
#define DL_CURL_MEMBER(name) __typeof__(name) *name;
  DL_CURL_FUNCTIONS(DL_CURL_MEMBER)
#undef DL_CURL_MEMBER
};
extern struct dl_curl_table dl_curl;

/* Loads the library of that name and fills the table; once, before anything else here. NULL, or why it cannot be done, in
   text that lasts until the thread's next call. */
const char *dl_curl_load(const char *name);

typedef size_t (*dl_curl_data)(char *bytes, size_t size, size_t count, void *context);
typedef int (*dl_curl_opened)(void *context, curl_socket_t socket, curlsocktype purpose);
typedef int (*dl_curl_before)(void *context, char *remote, char *local, int remotePort, int localPort);
typedef int (*dl_curl_report)(CURL *easy, curl_infotype kind, char *text, size_t length, void *context);

static inline CURLcode dl_curl_global_init(long flags) { return dl_curl.curl_global_init(flags); }
static inline char *dl_curl_version(void) { return dl_curl.curl_version(); }
static inline curl_version_info_data *dl_curl_version_info(CURLversion age) { return dl_curl.curl_version_info(age); }

static inline struct curl_slist *dl_curl_slist_append(struct curl_slist *list, const char *text) {
  return dl_curl.curl_slist_append(list, text);
}
static inline void dl_curl_slist_free_all(struct curl_slist *list) { dl_curl.curl_slist_free_all(list); }

static inline CURL *dl_curl_easy_init(void) { return dl_curl.curl_easy_init(); }
static inline void dl_curl_easy_cleanup(CURL *easy) { dl_curl.curl_easy_cleanup(easy); }
static inline void dl_curl_easy_reset(CURL *easy) { dl_curl.curl_easy_reset(easy); }
static inline CURLcode dl_curl_easy_pause(CURL *easy, int mask) { return dl_curl.curl_easy_pause(easy, mask); }

static inline CURLM *dl_curl_multi_init(void) { return dl_curl.curl_multi_init(); }
static inline CURLMcode dl_curl_multi_cleanup(CURLM *multi) { return dl_curl.curl_multi_cleanup(multi); }
static inline CURLMcode dl_curl_multi_add_handle(CURLM *multi, CURL *easy) {
  return dl_curl.curl_multi_add_handle(multi, easy);
}
static inline CURLMcode dl_curl_multi_remove_handle(CURLM *multi, CURL *easy) {
  return dl_curl.curl_multi_remove_handle(multi, easy);
}
static inline CURLMcode dl_curl_multi_perform(CURLM *multi, int *running) {
  return dl_curl.curl_multi_perform(multi, running);
}
static inline CURLMcode dl_curl_multi_poll(CURLM *multi, int milliseconds) {
  return dl_curl.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}
static inline CURLMcode dl_curl_multi_wakeup(CURLM *multi) { return dl_curl.curl_multi_wakeup(multi); }

/* Options of an easy handle, by the C type of the argument: curl_easy_setopt and its relatives are variadic, which Swift
   cannot call. Strings are copied by libcurl; NULL restores the default. */
static inline CURLcode dl_curl_set_long(CURL *easy, CURLoption option, long value) {
  return (dl_curl.curl_easy_setopt)(easy, option, value);
}
static inline CURLcode dl_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return (dl_curl.curl_easy_setopt)(easy, option, value);
}
static inline CURLcode dl_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return (dl_curl.curl_easy_setopt)(easy, option, value);
}
static inline CURLcode dl_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return (dl_curl.curl_easy_setopt)(easy, option, value);
}
static inline CURLcode dl_curl_set_data(CURL *easy, CURLoption option, dl_curl_data function) {
  return (dl_curl.curl_easy_setopt)(easy, option, function);
}
static inline CURLcode dl_curl_set_opened(CURL *easy, CURLoption option, dl_curl_opened function) {
  return (dl_curl.curl_easy_setopt)(easy, option, function);
}
static inline CURLcode dl_curl_set_before(CURL *easy, CURLoption option, dl_curl_before function) {
  return (dl_curl.curl_easy_setopt)(easy, option, function);
}
static inline CURLcode dl_curl_set_report(CURL *easy, CURLoption option, dl_curl_report function) {
  return (dl_curl.curl_easy_setopt)(easy, option, function);
}

/* Facts of an easy handle; zero or NULL where there is none. */
static inline long dl_curl_long(CURL *easy, CURLINFO fact) {
  long value = 0;
  return (dl_curl.curl_easy_getinfo)(easy, fact, &value) == CURLE_OK ? value : 0;
}
static inline curl_off_t dl_curl_offset(CURL *easy, CURLINFO fact) {
  curl_off_t value = 0;
  return (dl_curl.curl_easy_getinfo)(easy, fact, &value) == CURLE_OK ? value : 0;
}
static inline void *dl_curl_private(CURL *easy) {
  char *value = NULL;
  return (dl_curl.curl_easy_getinfo)(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? (void *)value : NULL;
}

static inline CURLMcode dl_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return (dl_curl.curl_multi_setopt)(multi, option, value);
}

/* The next finished easy handle and how it ended, or NULL: CURLMsg holds a union. */
static inline CURL *dl_curl_next_done(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = dl_curl.curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
