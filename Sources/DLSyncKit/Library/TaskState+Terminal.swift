internal import DLSyncModel

extension TaskState {
  /// Whether nothing more happens to the task unless somebody asks.
  var isTerminal: Bool {
    switch self {
    case .completed, .failed, .canceled, .removed: true
    case .waiting, .running, .retrying, .suspended, .verifying, .publishing: false
    }
  }

  /// Whether the task is on its way, or is to be as soon as its queue runs.
  var isAwake: Bool { !isTerminal && self != .suspended }
}
