/// The states of a task.
public enum TaskState: String, CaseIterable, Sendable {
  /// Planned, not begun; also what a stopped run leaves behind.
  case waiting
  /// Bytes travel.
  case running
  /// An attempt failed; the next one waits for its time.
  case retrying
  /// Held back by request; confirmed bytes are kept.
  case suspended
  /// All bytes are there; digests are being compared.
  case verifying
  /// On the way to its final name.
  case publishing
  /// Durable at its final name, and recorded.
  case completed
  /// Ended with an error.
  case failed
  /// Ended by request; the claim on the destination stays.
  case canceled
  /// Forgotten.
  case removed
}
