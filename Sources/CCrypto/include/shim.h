/* OpenSSL's libcrypto (Debian: libssl-dev), loaded when something is hashed and not with the program. The low-level SHA-256
   context is deprecated but is the only one whose state can be copied out and continued later: EVP contexts of OpenSSL 3.0
   have no export. */
#define OPENSSL_SUPPRESS_DEPRECATED
#if !__has_include(<openssl/evp.h>)
#error "openssl/evp.h not found: install OpenSSL's headers (Debian: apt-get install libssl-dev)"
#endif
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

/* Every function that is used. */
#define DL_CRYPTO_FUNCTIONS(X)                                                                                       \
  X(OpenSSL_version) X(SHA256_Init) X(SHA256_Update) X(SHA256_Final) X(EVP_MD_fetch) X(EVP_MD_CTX_new)               \
  X(EVP_MD_CTX_free) X(EVP_MD_CTX_copy_ex) X(EVP_DigestInit_ex) X(EVP_DigestUpdate) X(EVP_DigestFinal_ex)

/* The table of them, empty before dl_crypto_load. */
struct dl_crypto_table {
#define DL_CRYPTO_MEMBER(name) __typeof__(name) *name;
  DL_CRYPTO_FUNCTIONS(DL_CRYPTO_MEMBER)
#undef DL_CRYPTO_MEMBER
};
extern struct dl_crypto_table dl_crypto;

/* Loads the library that the headers belong to and fills the table; once, before anything else here. NULL, or why it
   cannot be done, in text that lasts until the thread's next call. */
const char *dl_crypto_load(void);

static inline const char *dl_crypto_version(void) { return dl_crypto.OpenSSL_version(OPENSSL_VERSION); }

static inline void dl_sha256_init(SHA256_CTX *context) { dl_crypto.SHA256_Init(context); }
static inline void dl_sha256_update(SHA256_CTX *context, const void *bytes, size_t count) {
  dl_crypto.SHA256_Update(context, bytes, count);
}
static inline void dl_sha256_final(unsigned char *digest, SHA256_CTX *context) {
  dl_crypto.SHA256_Final(digest, context);
}

static inline EVP_MD *dl_evp_fetch(const char *name) { return dl_crypto.EVP_MD_fetch(NULL, name, NULL); }
static inline EVP_MD_CTX *dl_evp_new(void) { return dl_crypto.EVP_MD_CTX_new(); }
static inline void dl_evp_free(EVP_MD_CTX *context) { dl_crypto.EVP_MD_CTX_free(context); }
static inline int dl_evp_copy(EVP_MD_CTX *copy, const EVP_MD_CTX *context) {
  return dl_crypto.EVP_MD_CTX_copy_ex(copy, context);
}
static inline int dl_evp_init(EVP_MD_CTX *context, const EVP_MD *method) {
  return dl_crypto.EVP_DigestInit_ex(context, method, NULL);
}
static inline int dl_evp_update(EVP_MD_CTX *context, const void *bytes, size_t count) {
  return dl_crypto.EVP_DigestUpdate(context, bytes, count);
}
static inline int dl_evp_final(EVP_MD_CTX *context, unsigned char *digest, unsigned int *length) {
  return dl_crypto.EVP_DigestFinal_ex(context, digest, length);
}
