import DLSyncModel

/// Reads a queue's `mode`.
struct QueueModeDecoder {
  let state: DecodingState

  func decode(_ node: NodeRef, into queue: inout QueueConfiguration) {
    guard let mode: QueueConfiguration.Mode = state.choice(node) else { return }
    queue.mode = mode
  }
}
