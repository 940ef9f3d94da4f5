/// Whether a finished file is checked with the server again when its manifest is applied.
public enum RefreshPolicy: Hashable, Sendable {
  /// What is there is there.
  case never
  /// Each time.
  case always
  /// When the server last said so longer ago than this.
  case after(Duration)

  /// Whether it is time, for a file that the server vouched for at `checked`; nil counts as long ago.
  package func isDue(checked: Timestamp?, now: Timestamp) -> Bool {
    switch self {
    case .never: return false
    case .always: return true
    case .after(let time):
      guard let checked else { return true }
      // A clock that was set back must not put a check off for ever.
      let (age, overflow) = now.nanoseconds.subtractingReportingOverflow(checked.nanoseconds)
      return overflow || age < 0 || age >= time.inNanoseconds
    }
  }
}
