import CCrypto
import Glibc

/// libcrypto is loaded once a process, when something is to be hashed: most runs hash nothing, and it takes as long as the
/// rest of their start.
enum CryptoLibrary {
  /// Asked before anything else of the library. Without it nothing can be proved: the process ends as it would where any
  /// other library that it is linked with is missing.
  static let isLoaded: Bool = {
    guard let reason = dl_crypto_load() else { return true }
    let text = "dlsync: error while loading libcrypto: \(String(cString: reason)) (Debian: apt-get install libssl3)\n"
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(127)
  }()
}
