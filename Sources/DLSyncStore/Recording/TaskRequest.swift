package import DLSyncModel

/// A command that another process gave, to be carried out by the one that runs the task's queue.
package struct TaskRequest: Sendable {
  /// Ascending in the order in which commands were given.
  package let number: Int64
  package let task: TaskID
  package let command: TaskCommand

  package init(number: Int64, task: TaskID, command: TaskCommand) {
    self.number = number
    self.task = task
    self.command = command
  }
}

/// The answer to a request: done, or why not.
package struct TaskAnswer: Sendable {
  package let number: Int64
  package let error: DLSyncError?

  package init(number: Int64, error: DLSyncError?) {
    self.number = number
    self.error = error
  }
}

/// What is recorded of a task to which a command was given.
package struct CommandedTask: Sendable {
  package let id: TaskID
  /// An absolute path.
  package let destination: String
  package let state: TaskState
  package let published: PublishedFile?
  package let isBackground: Bool
}

/// What commands said about the order of a task.
package struct Standing: Hashable, Sendable {
  /// In place of the manifest's priority.
  package var priority: Double?
  /// In place of the order in the manifest.
  package var rank: Int?

  package init(priority: Double? = nil, rank: Int? = nil) {
    self.priority = priority
    self.rank = rank
  }
}
