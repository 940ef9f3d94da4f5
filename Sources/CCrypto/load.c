#include "shim.h"

#include <dlfcn.h>

#define DL_TEXT(word) #word
#define DL_TEXT_OF(macro) DL_TEXT(macro)

struct dl_crypto_table dl_crypto;

const char *dl_crypto_load(void) {
  void *library = dlopen("libcrypto.so." DL_TEXT_OF(OPENSSL_SHLIB_VERSION), RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return dlerror();
#define DL_CRYPTO_FIND(name) \
  if ((dl_crypto.name = (__typeof__(dl_crypto.name))dlsym(library, #name)) == NULL) return dlerror();
  DL_CRYPTO_FUNCTIONS(DL_CRYPTO_FIND)
#undef DL_CRYPTO_FIND
  return NULL;
}
