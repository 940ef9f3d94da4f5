import CCrypto

/// A SHA-256 that is fed piece by piece and whose state is plain bytes: it can be asked for the digest of what came so
/// far and goes on, and it can be saved and continued by another process of the same machine and library.
package struct RunningSHA256: Sendable {
  private var context = SHA256_CTX()

  package init() { SHA256_Init(&context) }

  /// Continues from saved bytes; nil when their number is not the state's.
  package init?(state: [UInt8]) {
    guard state.count == MemoryLayout<SHA256_CTX>.size else { return nil }
    withUnsafeMutableBytes(of: &context) { $0.copyBytes(from: state) }
  }

  /// The state as bytes. Their layout is the library's own: only the same library on the same architecture reads it.
  package var state: [UInt8] { withUnsafeBytes(of: context) { Array($0) } }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// The 32 bytes of what came so far.
  package var value: [UInt8] {
    var copy = context
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      SHA256_Final(buffer.baseAddress, &copy)
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }
}
