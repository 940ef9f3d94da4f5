internal import DLSyncModel

extension QueueConfiguration {
  /// Throws `usage` where a value is out of the range that its documentation names.
  func validate() throws(DLSyncError) {
    try Self.require(concurrency, in: 1...64, "concurrency")
    try Self.require(connectionsPerFile, in: 1...16, "connectionsPerFile")
    try Self.require(connectionsPerHost, in: 1...64, "connectionsPerHost")
    try Self.require(chunkSize, in: ByteCount(64 << 10)...ByteCount(16 << 20), "chunkSize")
    try Self.require(retry.maxAttempts, in: 1...100, "retry.maxAttempts")
    try Self.require(progressInterval, in: .milliseconds(100)...(.seconds(10)), "progressInterval")
    if let rate { try Self.require(rate, in: ByteCount(1)...ByteCount(.max), "rate") }
    let times = [
      ("timeouts.connect", timeouts.connect), ("timeouts.request", timeouts.request),
      ("timeouts.resource", timeouts.resource), ("retry.baseDelay", retry.baseDelay),
      ("retry.maxDelay", retry.maxDelay),
    ]
    for (key, time) in times where time <= .zero {
      throw DLSyncError(.usage, "\(key) is a time longer than none, and \(time) is not")
    }
  }

  private static func require<Value: Comparable>(
    _ value: Value, in range: ClosedRange<Value>, _ key: String
  ) throws(DLSyncError) {
    guard !range.contains(value) else { return }
    throw DLSyncError(.usage, "\(key) is from \(range.lowerBound) to \(range.upperBound), and \(value) is not")
  }

  /// The settings by key, as they are recorded.
  var recordedSettings: [String: String] { Dictionary(uniqueKeysWithValues: settings.map { ($0.key, $0.value) }) }

  /// The settings that differ from recorded ones. One that an older version did not record had its default.
  func changes(from recorded: [String: String]) -> [QueueSetting] {
    zip(settings, QueueConfiguration().settings).compactMap { wanted, usual in
      wanted.value == recorded[wanted.key] ?? usual.value ? nil : wanted
    }
  }

  /// Throws `configurationConflict` where anything differs from the record. Of a foreground queue's proxy only a fingerprint
  /// is recorded: it has to be given again.
  func requireEqual(_ recorded: [String: String], of queue: QueueName) throws(DLSyncError) {
    let keys = changes(from: recorded).map(\.key)
    guard !keys.isEmpty else { return }
    throw DLSyncError(
      .configurationConflict,
      "the queue \"\(queue)\" is recorded with other settings: \(keys.joined(separator: ", "))",
      hint: keys == ["network.proxy"]
        ? "give the proxy as before: its URL is not recorded"
        : "leave them out, or change them with updateConfiguration")
  }
}
