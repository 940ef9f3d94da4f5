import DLSyncModel

/// The running digests of a part file, guarded by a lock of their own: hashing does not hold up who writes.
///
/// While SHA-256 passes the end of a chunk, its chaining value there is kept: a proof of the chunk that costs nothing.
struct PartHashing: Sendable {
  private let algorithms: [DigestAlgorithm]
  private var running: RunningDigest
  private var length: Int64 = 0
  private var epoch = 0
  /// Bytes in a chunk, a multiple of 64; zero keeps no chaining values.
  private var chunkSize: Int64 = 0
  /// The last offset whose chaining value is recorded or pending; pieces of a chain begin there.
  private var chained: Int64 = 0
  /// Chunks that nobody has recorded yet.
  private var pending: [ConfirmedPiece] = []

  init(_ algorithms: [DigestAlgorithm]) {
    self.algorithms = algorithms
    running = Self.fresh(algorithms)
  }

  /// Digests before the first byte.
  static func fresh(_ algorithms: [DigestAlgorithm]) -> RunningDigest { RunningDigest(algorithms) }

  /// Keeps chaining values from now on.
  mutating func keepChunks(of size: Int64) { chunkSize = size }

  /// Feeds bytes. A newer epoch begins with the first byte of the file; what belongs to an older one is dropped.
  mutating func update(_ bytes: UnsafeRawBufferPointer, epoch: Int) {
    follow(epoch)
    guard epoch == self.epoch else { return }
    guard chunkSize > 0 else {
      running.update(bytes)
      length += Int64(bytes.count)
      return
    }
    var done = 0
    while done < bytes.count {
      let count = Int(min(Int64(bytes.count - done), chunkSize - length % chunkSize))
      running.update(UnsafeRawBufferPointer(rebasing: bytes[done..<done + count]))
      done += count
      length += Int64(count)
      if length % chunkSize == 0, let value = running.chainingValue {
        pending.append(ConfirmedPiece(range: ByteRange(chained, length), digest: value, kind: .chained))
        chained = length
      }
    }
  }

  mutating func digests(epoch: Int) -> [DigestAlgorithm: Digest] {
    follow(epoch)
    return running.digests
  }

  /// The chunks that were passed since the last call.
  mutating func takePending(epoch: Int) -> [ConfirmedPiece] {
    follow(epoch)
    guard epoch == self.epoch else { return [] }
    defer { pending = [] }
    return pending
  }

  /// Takes pieces back that could not be recorded after all.
  mutating func giveBack(_ pieces: [ConfirmedPiece], epoch: Int) {
    if epoch == self.epoch { pending.insert(contentsOf: pieces, at: 0) }
  }

  /// Goes on behind a prefix that was proved.
  mutating func replace(_ prefix: PieceProof.Prefix, epoch: Int) {
    running = prefix.running
    length = prefix.length
    chained = prefix.chained
    pending = prefix.pending
    self.epoch = epoch
  }

  private mutating func follow(_ epoch: Int) {
    guard epoch > self.epoch else { return }
    self.epoch = epoch
    running = Self.fresh(algorithms)
    length = 0
    chained = 0
    pending = []
  }
}
