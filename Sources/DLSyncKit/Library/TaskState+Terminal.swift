internal import DLSyncModel

extension TaskState {
  /// Whether nothing more happens to the task unless somebody asks.
  var isTerminal: Bool {
    switch self {
    case .completed, .failed, .canceled, .removed: true
    case .waiting, .running, .retrying, .suspended, .verifying, .publishing: false
    }
  }
}
