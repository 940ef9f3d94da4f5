import DLSyncModel

/// Reads `network.allowMetered`.
struct MeteredDecoder {
  let state: DecodingState

  func decode(_ node: NodeRef, into network: inout QueueConfiguration.Network) {
    guard let isAllowed = state.bool(node) else { return }
    if !isAllowed { state.reportUnsupported(node, "`allowMetered: false`") }
    network.allowMetered = isAllowed
  }
}
