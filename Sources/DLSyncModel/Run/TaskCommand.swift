/// What a person asks of a task, from any terminal.
public enum TaskCommand: Hashable, Sendable {
  /// Holds it back; confirmed bytes are kept.
  case pause
  /// Releases a held or failed one.
  case resume
  /// Ends it; partial data is dropped, the claim on the destination stays.
  case cancel
  /// Begins anew from the first byte.
  case restart
  /// Forgets it; the published file stays, unless it is to be deleted and is still the recorded one.
  case remove(deletesFile: Bool)
  /// Changes which task goes first: 0 to 1, higher first.
  case priority(Double)
  /// Changes its place among tasks of equal priority: ascending.
  case reorder(rank: Int)
  /// Gives a background task other request headers; partial data is dropped.
  case headers([HeaderField])

  /// The word on the command line.
  public var verb: String {
    switch self {
    case .pause: "pause"
    case .resume: "resume"
    case .cancel: "cancel"
    case .restart: "restart"
    case .remove: "remove"
    case .priority: "priority"
    case .reorder: "reorder"
    case .headers: "headers"
    }
  }
}

/// What a command makes of a task.
public struct TaskEffect: Hashable, Sendable {
  /// The state that it leads to; nil where the state stays.
  public let state: TaskState?
  /// Whether what was fetched so far is given up.
  public let dropsPartialData: Bool

  init(_ state: TaskState?, dropsPartialData: Bool = false) {
    self.state = state
    self.dropsPartialData = dropsPartialData
  }
}
