package import DLSyncModel

/// What is recorded of a task that a program asked for through the library.
package struct RequestedTask: Sendable {
  /// Its place in the order in which tasks were recorded.
  package let number: Int64
  package let state: TaskState
  /// What was asked for; of a task that is completed, or that a manifest names, only what its row tells.
  package let entry: FileEntry
  /// Whether everything that was asked for is recorded, header values and credentials excepted.
  package let isWhole: Bool
  /// Whether header values or credentials were not to be kept.
  package let isWithheld: Bool
  /// Why it failed, or why it was suspended where nobody asked for that.
  package let errorCode: ErrorCode?
}

/// What became of an entry that is to be a task.
package enum Enrolment: Sendable {
  /// It is one now, and waits.
  case added
  /// The destination, or a folder above or below it, is another task's.
  case claimed(path: String, by: Scope, queue: QueueName)
}
