import DLSyncModel

/// When what happened in a run: what each file was busy with, and how fast bytes came. A fold over events and the moments
/// at which they came.
struct RunHistory: Sendable {
  /// What a file was busy with for a while.
  struct Span: Hashable, Sendable {
    enum Kind: UInt8, CaseIterable, Sendable { case fetching, waiting, verifying, publishing }
    /// The file, as an index into the plan.
    let file: Int32
    let kind: Kind
    /// Seconds since the beginning of the run.
    let start: Float
    let end: Float
  }

  /// A file on its way.
  private struct Present {
    var kind: Span.Kind?
    var since = 0.0
    /// Bytes of the file that were there at the last sample, and when that was.
    var completed: Int64 = 0
    var sampled = 0.0
    /// Bytes that are in the throughput already.
    var counted: Int64 = 0
  }

  /// In the order in which they ended.
  private(set) var spans: [Span] = []
  private(set) var throughput = Throughput()
  private var present: [Int: Present] = [:]

  /// When the last file came to its end, in seconds since the beginning.
  private(set) var end = 0.0

  /// Takes one event into account that came at a time, in seconds since the beginning.
  mutating func apply(_ event: Event, at time: Double) {
    switch event {
    case .stateChanged(let change): enter(change.to, change.file, time)
    case .resumed(let file, let offset, _): present[file, default: Present()].completed = offset.bytes
    case .progress(let file, let sample): advance(file, to: sample.completed.bytes, time)
    case .ended(let outcome): end(outcome, time)
    case .planned, .joined, .warning, .pruned, .finished: break
    }
  }

  private mutating func enter(_ state: TaskState, _ file: Int, _ time: Double) {
    close(file, time)
    var now = present[file] ?? Present()
    now.kind =
      switch state {
      case .running: .fetching
      case .retrying: .waiting
      case .verifying: .verifying
      case .publishing: .publishing
      default: nil
      }
    now.since = time
    if state == .running { now.sampled = time }
    present[file] = now
  }

  private mutating func advance(_ file: Int, to completed: Int64, _ time: Double) {
    guard var now = present[file] else { return }
    // Less than before: the attempt began anew, from the first byte.
    let bytes = completed >= now.completed ? completed - now.completed : completed
    throughput.add(bytes, from: now.sampled, to: time)
    now.counted += bytes
    now.completed = completed
    now.sampled = time
    present[file] = now
  }

  private mutating func end(_ outcome: FileOutcome, _ time: Double) {
    end = max(end, time)
    close(outcome.file, time)
    guard let now = present.removeValue(forKey: outcome.file) else { return }
    // What came after the last sample, or without any.
    throughput.add(outcome.fetchedBytes.bytes - now.counted, from: now.sampled, to: time)
  }

  private mutating func close(_ file: Int, _ time: Double) {
    guard let now = present[file], let kind = now.kind else { return }
    present[file]?.kind = nil
    spans.append(Span(file: Int32(file), kind: kind, start: Float(now.since), end: Float(time)))
  }
}
