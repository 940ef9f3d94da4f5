import DLSyncModel

/// Reads `queues`.
struct QueuesDecoder {
  /// How many queues a manifest may have, `default` included.
  private static let greatestCount = 64

  let state: DecodingState

  func decode(_ node: NodeRef, into head: inout Head) {
    guard let pairs = state.pairs(node, expected: "a mapping from names to queues") else { return }
    var count = 1
    for pair in pairs {
      let name = pair.key.text
      if name != QueueName.default.text { count += 1 }
      if count == Self.greatestCount + 1 {
        state.report(pair.key, "a manifest has at most \(Self.greatestCount) queues, `default` included")
      }
      state.descend(.key(name)) { declare(name, pair, into: &head) }
    }
  }

  private func declare(_ name: String, _ pair: Pair, into head: inout Head) {
    if name.isEmpty || name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) {
      state.report(pair.key, "a queue's name is not empty and holds no control character")
    }
    var configuration = QueueConfiguration()
    let value = state.resolved(pair.value)
    if !value.isNull {
      state.decode(value, QueueConfiguration.table, into: &configuration)
    }
    head.queueNames[BytewiseText(name)] = QueueName(name)
    head.queues.append(QueueDeclaration(QueueName(name), configuration))
  }
}
