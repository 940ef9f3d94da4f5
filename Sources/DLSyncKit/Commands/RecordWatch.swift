internal import DLSyncStore
internal import DLSyncThreading

/// When who waits for the work of other processes looks at the record again: when it was written, and never so often that
/// looking takes more than a twentieth of the time. Many tasks are many rows.
struct RecordWatch {
  /// How long nothing is looked at, at most: an agent that is gone writes nothing, and a clock that stands still dates two
  /// writes alike.
  private static let longest: Int64 = 2_000_000_000
  private static let share: Int64 = 20

  private let folder: String
  private var mark: RecordMark?
  /// When it was marked.
  private var marked = MonotonicInstant(nanoseconds: 0)
  /// When it may be looked at again.
  private var next = MonotonicInstant(nanoseconds: 0)

  init(stateFolder: String) { folder = stateFolder }

  /// Whether it is time to look; the first time it is.
  mutating func isDue(_ now: MonotonicInstant) -> Bool {
    guard now >= next else { return false }
    let present = RecordMark(folder: folder)
    guard present != mark || now >= marked.advanced(by: Self.longest) else { return false }
    (mark, marked) = (present, now)
    return true
  }

  /// It was looked at, from one moment to another.
  mutating func hasLooked(since began: MonotonicInstant, _ now: MonotonicInstant) {
    let took = max(0, now.nanoseconds - began.nanoseconds)
    next = now.advanced(by: min(Self.longest, took * Self.share))
  }
}
