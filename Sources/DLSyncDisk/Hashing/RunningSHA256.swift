import CCrypto

/// A SHA-256 that is fed piece by piece and whose state is plain bytes: it can be asked for the digest of what came so
/// far and goes on, and it can begin anywhere from a chaining value.
package struct RunningSHA256: Sendable {
  private var context = SHA256_CTX()

  package init() {
    if CryptoLibrary.isLoaded { dl_sha256_init(&context) }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    dl_sha256_update(&context, bytes.baseAddress, bytes.count)
  }

  /// Continues behind `length` bytes, a multiple of 64, from the chaining value there (FIPS 180-4, section 6.2.2); nil when
  /// that has not 32 bytes.
  init?(chainingValue: [UInt8], length: Int64) {
    guard chainingValue.count == 32, length >= 0, length % 64 == 0 else { return nil }
    self.init()
    withUnsafeMutableBytes(of: &context.h) { words in
      for index in 0..<8 {
        let word = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(chainingValue[index * 4 + $1]) }
        words.storeBytes(of: word, toByteOffset: index * 4, as: UInt32.self)
      }
    }
    // The length in bits, for the padding at the end.
    context.Nl = UInt32(truncatingIfNeeded: UInt64(length) << 3)
    context.Nh = UInt32(truncatingIfNeeded: UInt64(length) >> 29)
  }

  /// The chaining value behind what came so far, which must be a multiple of 64 bytes; nil where it is not.
  var chainingValue: [UInt8]? {
    guard context.num == 0 else { return nil }
    return withUnsafeBytes(of: context.h) { words in
      (0..<32).map {
        UInt8(truncatingIfNeeded: words.load(fromByteOffset: $0 & ~3, as: UInt32.self) >> (24 - $0 % 4 * 8))
      }
    }
  }

  /// The 32 bytes of what came so far.
  package var value: [UInt8] {
    var copy = context
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      dl_sha256_final(buffer.baseAddress, &copy)
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }
}
