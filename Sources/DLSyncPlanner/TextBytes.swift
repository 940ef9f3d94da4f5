import DLSyncModel

// Texts as the bytes that they are.

extension FileEntry {
  /// Lends the bytes of the URL's text.
  func withURLBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { urlBytes.withUnsafeBytes(body) }

  /// Lends the bytes of the destination's path.
  func withPathBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { pathBytes.withUnsafeBytes(body) }
}

extension String {
  /// Lends the text's bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var text = self
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// A hash of the bytes, seeded anew in each process.
  var byteHash: UInt32 { withBytes { $0.byteHash } }
}

extension UnsafeRawBufferPointer {
  /// A hash of the bytes, seeded anew in each process: no manifest can be written to collide.
  var byteHash: UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: self)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  /// The bytes before the last slash, without it; empty where there is none.
  var folder: UnsafeRawBufferPointer {
    guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return UnsafeRawBufferPointer(rebasing: self[..<0]) }
    return UnsafeRawBufferPointer(rebasing: self[..<slash])
  }
}
