#include "shim.h"

#include <dlfcn.h>

struct dl_curl_table dl_curl;

const char *dl_curl_load(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define DL_CURL_FIND(name) \
  if ((dl_curl.name = (__typeof__(dl_curl.name))dlsym(library, #name)) == NULL) return dlerror();
  DL_CURL_FUNCTIONS(DL_CURL_FIND)
#undef DL_CURL_FIND
  return NULL;
}
