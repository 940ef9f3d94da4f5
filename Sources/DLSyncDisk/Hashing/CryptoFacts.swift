import CCrypto

/// What libcrypto says of itself.
package enum CryptoFacts {
  /// `OpenSSL 3.0.17 1 Jul 2025`.
  package static var version: String { CryptoLibrary.isLoaded ? String(cString: dl_crypto_version()) : "" }
}
