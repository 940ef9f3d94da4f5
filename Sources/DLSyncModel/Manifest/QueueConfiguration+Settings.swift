extension QueueConfiguration {
  /// A configuration as it was recorded: what `settings` made texts of. `proxy` is the proxy's URL, of which the
  /// settings hold a fingerprint alone. A key that is missing or cannot be read has its default, and a number out of
  /// the range that a manifest may name is the nearest one in it.
  package init(settings: [String: String], proxy: String?) {
    self.init()
    func number(_ key: String, in range: ClosedRange<Int>) -> Int? {
      settings[key].flatMap { Int($0) }.map { min(max($0, range.lowerBound), range.upperBound) }
    }
    func duration(_ key: String, in range: ClosedRange<Duration>) -> Duration? {
      settings[key].flatMap { Duration(secondsText: $0) }.map { min(max($0, range.lowerBound), range.upperBound) }
    }
    func text(_ key: String) -> String? { settings[key].flatMap { $0.isEmpty ? nil : $0 } }
    mode = text("mode").flatMap { Mode(rawValue: $0) } ?? mode
    concurrency = number("concurrency", in: 1...64) ?? concurrency
    connectionsPerFile = number("connectionsPerFile", in: 1...16) ?? connectionsPerFile
    connectionsPerHost = number("connectionsPerHost", in: 1...64) ?? connectionsPerHost
    chunkSize = number("chunkSize", in: 64 << 10...16 << 20).map { ByteCount(Int64($0)) } ?? chunkSize
    // None, or nothing, is unlimited.
    rate = number("rate", in: 0...Int.max).flatMap { $0 > 0 ? ByteCount(Int64($0)) : nil }
    let times = Duration.milliseconds(1)...DurationText.longest
    timeouts.connect = duration("timeouts.connect", in: times) ?? timeouts.connect
    timeouts.request = duration("timeouts.request", in: times) ?? timeouts.request
    timeouts.resource = duration("timeouts.resource", in: times) ?? timeouts.resource
    retry.maxAttempts = number("retry.maxAttempts", in: 1...100) ?? retry.maxAttempts
    retry.baseDelay = duration("retry.baseDelay", in: .zero...DurationText.longest) ?? retry.baseDelay
    retry.maxDelay = duration("retry.maxDelay", in: .zero...DurationText.longest) ?? retry.maxDelay
    if let codes = settings["retry.statusCodes"] {
      retry.statusCodes = codes.split(separator: ",").compactMap { Int($0) }
    }
    progressInterval =
      duration("progressInterval", in: .milliseconds(100)...(.seconds(10))) ?? progressInterval
    network.allowMetered = settings["network.allowMetered"] != "false"
    network.interface = text("network.interface")
    network.ipVersion = number("network.ipVersion", in: 0...9).flatMap { Network.IPVersion(rawValue: $0) }
    network.proxy = settings["network.proxy"] == "none" ? Network.Proxy.none : proxy.map { .url($0) }
    tls.caFile = text("tls.caFile")
    tls.clientCertificate = text("tls.clientCertificate")
    tls.clientKey = text("tls.clientKey")
    tls.minVersion = text("tls.minVersion").flatMap { TLS.Version(rawValue: $0) } ?? tls.minVersion
  }
}

extension Duration {
  /// What `secondsText` wrote: seconds, with a fraction of up to nine digits.
  init?(secondsText text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let seconds = Int64(first) else { return nil }
    var nanoseconds: Int64 = 0
    if parts.count == 2 {
      let digits = parts[1].prefix(9)
      guard let fraction = Int64(digits) else { return nil }
      nanoseconds = (digits.count..<9).reduce(fraction) { value, _ in value * 10 }
    }
    self = .seconds(seconds) + .nanoseconds(nanoseconds)
  }
}

extension QueueConfiguration {
  /// The settings that differ from recorded ones. One that an older version did not record had its default.
  package func changes(from recorded: [String: String]) -> [QueueSetting] {
    zip(settings, QueueConfiguration().settings).compactMap { wanted, usual in
      wanted.value == recorded[wanted.key] ?? usual.value ? nil : wanted
    }
  }
}
