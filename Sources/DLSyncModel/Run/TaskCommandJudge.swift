/// Decides whether a task in a certain state takes a command, and what becomes of it: the table of docs/control.md.
public struct TaskCommandJudge: Sendable {
  /// Needs to know nothing.
  public init() {}

  /// The effect of a command, or why there is none. `isBackground` tells whether the task's queue is one of the agent's.
  public func decide(
    _ command: TaskCommand, state: TaskState, isBackground: Bool
  ) -> Result<TaskEffect, DLSyncError> {
    if state == .removed { return .failure(Self.gone) }
    if state == .verifying || state == .publishing { return .failure(Self.busy(state)) }
    guard Self.allowed(command).contains(state) else { return .failure(Self.refused(command, state)) }
    switch command {
    case .pause: return .success(TaskEffect(.suspended))
    case .resume: return .success(TaskEffect(.waiting))
    case .cancel: return .success(TaskEffect(.canceled, dropsPartialData: true))
    case .restart: return .success(TaskEffect(.waiting, dropsPartialData: true))
    case .remove: return .success(TaskEffect(.removed, dropsPartialData: true))
    case .priority, .reorder: return .success(TaskEffect(nil))
    case .headers where !isBackground: return .failure(Self.foreground)
    case .headers: return .success(TaskEffect(nil, dropsPartialData: true))
    }
  }

  /// The states in which a task takes a command.
  static func allowed(_ command: TaskCommand) -> Set<TaskState> {
    switch command {
    case .pause: [.waiting, .running, .retrying]
    case .resume: [.suspended, .failed]
    case .cancel: [.waiting, .running, .retrying, .suspended, .failed]
    case .restart: [.suspended, .failed, .canceled]
    case .remove, .reorder: [.waiting, .running, .retrying, .suspended, .completed, .failed, .canceled]
    case .priority: [.waiting, .running, .retrying, .suspended, .failed, .canceled]
    case .headers: [.suspended, .failed, .canceled]
    }
  }

  /// The answer of a task that is on its last steps, which are not to be disturbed.
  public static func busy(_ state: TaskState) -> DLSyncError {
    DLSyncError(
      .taskBusy, "the file is being \(state == .verifying ? "verified" : "published")",
      hint: "wait for its end (dlsync wait), then ask again")
  }

  private static func refused(_ command: TaskCommand, _ state: TaskState) -> DLSyncError {
    DLSyncError(
      .usage, "a task that is \(state.rawValue) does not take \"\(command.verb)\"",
      hint: state == .completed ? "dlsync remove forgets a completed task" : nil)
  }

  private static let gone = DLSyncError(
    .taskNotFound, "the task was removed", hint: "\"dlsync status\" lists the tasks")

  private static let foreground = DLSyncError(
    .usage, "headers can be changed of background tasks alone: those of foreground tasks are not kept",
    hint: "change the manifest, then apply it")
}

extension DLSyncError {
  /// No task answers to the name.
  package static func taskNotFound(_ name: String) -> DLSyncError {
    DLSyncError(
      .taskNotFound, "no task is recorded for \"\(Redaction.url(name))\"", hint: "\"dlsync status\" lists the tasks")
  }
}
