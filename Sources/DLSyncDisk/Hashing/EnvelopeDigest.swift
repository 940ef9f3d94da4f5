import CCrypto
import DLSyncModel

/// A digest of any algorithm through OpenSSL's envelope interface (EVP). A value: a copy goes its own way.
struct EnvelopeDigest: Sendable {
  private final class Context: @unchecked Sendable {
    // Unchecked, proof: what `pointer` names is changed in `init`, before anybody else has it, and in `update`, which first
    // makes sure that its own value alone refers to it, so no other thread can. Copying and reading leave it as it is.
    let pointer: OpaquePointer
    init?(_ pointer: OpaquePointer?) {
      guard let pointer else { return nil }
      self.pointer = pointer
    }
    deinit { dl_evp_free(pointer) }

    func copy() -> Context {
      // Fails for want of memory alone.
      guard let copy = Context(dl_evp_new()), dl_evp_copy(copy.pointer, pointer) == 1 else {
        preconditionFailure("no memory for a digest")
      }
      return copy
    }
  }

  private var context: Context

  /// Nil where the library does not offer the algorithm, as a restricted (FIPS) build may not offer MD5.
  init?(_ algorithm: DigestAlgorithm) {
    guard let method = EnvelopeMethods.method(algorithm), let context = Context(dl_evp_new()),
      dl_evp_init(context.pointer, method) == 1
    else { return nil }
    self.context = context
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&context) { context = context.copy() }
    _ = dl_evp_update(context.pointer, bytes.baseAddress, bytes.count)
  }

  /// The digest of what came so far.
  var value: [UInt8] {
    let copy = context.copy()
    return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      var length: UInt32 = 0
      _ = dl_evp_final(copy.pointer, buffer.baseAddress, &length)
      count = Int(length)
    }
  }
}

/// The library's algorithms, fetched once: looking one up costs more than hashing a small file.
private enum EnvelopeMethods {
  /// Addresses of `EVP_MD` objects, which are immutable and shared by all threads; zero where there is none.
  private static let addresses: [UInt] = DigestAlgorithm.allCases.map { algorithm in
    CryptoLibrary.isLoaded ? UInt(bitPattern: dl_evp_fetch(libraryName(algorithm))) : 0
  }

  static func method(_ algorithm: DigestAlgorithm) -> OpaquePointer? {
    OpaquePointer(bitPattern: addresses[Int(algorithm.rawValue)])
  }

  private static func libraryName(_ algorithm: DigestAlgorithm) -> String {
    switch algorithm {
    case .md5: "MD5"
    case .sha1: "SHA1"
    case .sha224: "SHA2-224"
    case .sha256: "SHA2-256"
    case .sha384: "SHA2-384"
    case .sha512: "SHA2-512"
    case .blake2b512: "BLAKE2B-512"
    }
  }
}
