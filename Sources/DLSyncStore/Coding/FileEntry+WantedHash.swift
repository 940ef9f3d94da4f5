import DLSyncModel

extension FileEntry {
  /// A hash of everything that is recorded of what the manifest wants, the credentials of the URL included: they are not
  /// stored, but a change of them must not go unseen.
  var wantedHash: Int64 {
    var hash = StableHash()
    lendURL { hash.combine($0) }
    lendChecksums { hash.combine(digests: $0) }
    hash.combine(UInt64(bitPattern: size?.bytes ?? -1))
    hash.combine(priority.bitPattern)
    let options = options
    hash.combine(UInt64(options.permissions ?? .max))
    if options.listMark != 0 { hash.combine(UInt64(bitPattern: options.listMark)) }
    return Int64(bitPattern: hash.finish())
  }
}

extension StableHash {
  fileprivate mutating func combine(digests bytes: UnsafeRawBufferPointer) {
    var count: UInt64 = 0
    PackedDigests.forEach(bytes) { _, _ in count += 1 }
    combine(count)
    PackedDigests.forEach(bytes) { algorithm, bytes in
      combine(UInt64(algorithm))
      var word: UInt64 = 0
      for (index, byte) in bytes.enumerated() {
        word = word << 8 | UInt64(byte)
        // Every digest is a whole number of these long.
        if index & 3 == 3 { combine(word) }
      }
    }
  }
}
