import DLSyncModel
import DLSyncSystem
import DLSyncThreading

/// Checks what an earlier run claims of a part file, by reading every claimed piece once. Each piece is proved alone: a
/// damaged one takes no other with it.
struct PieceProof {
  /// The proved beginning of the file.
  struct Prefix: Sendable {
    /// Fed with exactly that.
    var running: RunningDigest
    var length: Int64 = 0
    /// The last offset within it whose chaining value is recorded or pending.
    var chained: Int64 = 0
    /// Pieces that were claimed by themselves and have a chaining value now, for the pieces behind them to build upon.
    var pending: [ConfirmedPiece] = []
  }

  private(set) var prefix: Prefix
  /// What is proved, as it is in the file.
  private(set) var proved = WrittenRanges()
  /// The pieces behind the prefix that are proved.
  private(set) var islands: [ConfirmedPiece] = []

  /// After `cancel` the rest is not looked at. Claims may come in any order. What cannot be read because the file is
  /// too short, and what contradicts itself, is not proved; other trouble with reading throws.
  static func prove(
    _ claims: [ConfirmedPiece], descriptor: Int32, with fresh: RunningDigest, cancel: CancelToken? = nil
  ) throws(SystemTrouble) -> PieceProof {
    let reader = StretchReader(descriptor)
    defer { reader.close() }
    var proof = PieceProof(prefix: Prefix(running: fresh))
    var starts: [Int64: Digest] = [0: RunningSHA256.start]
    for claim in claims where claim.kind == .chained { starts[claim.range.upper] = claim.digest }
    for claim in claims.sorted(by: { $0.range.lower < $1.range.lower }) where !claim.range.isEmpty {
      if cancel?.isCancelled == true { break }
      try proof.consider(claim, start: starts[claim.range.lower], reader)
    }
    return proof
  }

  private init(prefix: Prefix) { self.prefix = prefix }

  /// `start` is the chaining value that is claimed for the piece's first byte.
  private mutating func consider(_ claim: ConfirmedPiece, start: Digest?, _ reader: StretchReader) throws(SystemTrouble)
  {
    let continues = claim.range.lower == prefix.length
    // A copy: the prefix stays as it is when the piece turns out to be damaged.
    var running = continues ? prefix.running : nil
    var single: RunningSHA256?
    switch claim.kind {
    case .own: single = RunningSHA256()
    case .chained:
      guard let start, claim.range.upper % 64 == 0 else { return }
      if running?.chainingValue != start {
        single = RunningSHA256(chainingValue: start.bytes, length: claim.range.lower)
        if single == nil { return }
      }
    }
    let isRead = try reader.read(claim.range) { bytes in
      running?.update(bytes)
      single?.update(bytes)
    }
    guard isRead else { return }
    let found: [UInt8]? =
      switch (claim.kind, single) {
      case (.own, let single): single?.value
      case (.chained, let single?): single.chainingValue
      case (.chained, nil): running?.chainingValue?.bytes
      }
    guard found == claim.digest.bytes else { return }
    proved.insert(claim.range)
    if let running { extend(by: claim, running) } else { islands.append(claim) }
  }

  private mutating func extend(by claim: ConfirmedPiece, _ running: RunningDigest) {
    prefix.running = running
    prefix.length = claim.range.upper
    guard let value = running.chainingValue else { return }
    let piece = ConfirmedPiece(range: ByteRange(prefix.chained, claim.range.upper), digest: value, kind: .chained)
    if piece != claim { prefix.pending.append(piece) }
    prefix.chained = claim.range.upper
  }
}

extension RunningSHA256 {
  /// The chaining value before the first byte.
  fileprivate static let start = Digest(.sha256, bytes: RunningSHA256().chainingValue!)!
}
