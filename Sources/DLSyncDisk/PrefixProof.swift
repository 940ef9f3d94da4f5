import DLSyncModel

/// Running digests and how many bytes they were fed.
struct PrefixState: Sendable {
  let running: RunningDigest
  let length: Int64
}

/// Checks claims about the beginning of a file by reading it once.
enum PrefixProof {
  /// The state behind the longest prefix that is proven. Claims are tried by ascending length up to the first that does not
  /// hold, or for which the file is too short.
  static func prove(
    _ claims: [PrefixDigest], descriptor: Int32, with fresh: RunningDigest
  ) throws(Errno) -> PrefixState {
    var running = fresh
    var position: Int64 = 0
    var proven = PrefixState(running: fresh, length: 0)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    for claim in claims.sorted(by: { $0.length < $1.length }) where claim.length > 0 {
      while position < claim.length {
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(256 << 10, claim.length - position))])
        guard try readFully(descriptor, wanted, at: position) == wanted.count else { return proven }
        running.update(UnsafeRawBufferPointer(wanted))
        position += Int64(wanted.count)
      }
      guard running.fingerprint == claim.digest else { return proven }
      proven = PrefixState(running: running, length: position)
    }
    return proven
  }
}
