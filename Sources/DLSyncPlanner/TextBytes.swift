import DLSyncModel

// Texts as the bytes that they are.

extension FileEntry {
  /// A hash of the URL's text.
  var urlHash: UInt32 {
    var hash: UInt32 = 0
    lendURL { hash = $0.byteHash }
    return hash
  }

  /// Whether both have one URL.
  func hasURL(of other: FileEntry) -> Bool {
    var isSame = false
    lendURL { mine in other.lendURL { isSame = mine.hasSameBytes(as: $0) } }
    return isSame
  }
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
    var end = count
    while end > 0 {
      end -= 1
      if self[end] == UInt8(ascii: "/") { break }
    }
    return UnsafeRawBufferPointer(rebasing: self[..<end])
  }
}
