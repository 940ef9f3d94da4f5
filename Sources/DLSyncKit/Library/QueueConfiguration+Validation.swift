internal import DLSyncManifest
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
      ("timeouts.resource", timeouts.resource),
    ]
    for (key, time) in times { try Self.require(time, in: .milliseconds(1)...DurationText.longest, key) }
    let delays = [("retry.baseDelay", retry.baseDelay), ("retry.maxDelay", retry.maxDelay)]
    for (key, time) in delays { try Self.require(time, in: .zero...DurationText.longest, key) }
    for code in retry.statusCodes { try Self.require(code, in: 400...599, "retry.statusCodes") }
    if case .url(let proxy) = network.proxy, !ProxyText.isProxy(proxy) {
      // Never quoted: it may hold a password.
      throw DLSyncError(.usage, "network.proxy is no http, https or socks5 URL of a proxy")
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

extension QueueName {
  /// Throws `usage` for what is no name of a queue in a manifest either.
  func validate() throws(DLSyncError) {
    guard text.isEmpty || text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else { return }
    throw DLSyncError(.usage, "a queue's name is not empty and holds no control character")
  }
}
