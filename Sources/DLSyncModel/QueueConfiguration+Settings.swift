extension QueueConfiguration {
  /// A configuration as it was recorded: what `settings` made texts of. `proxy` is the proxy's URL, of which the settings
  /// hold a fingerprint alone. A key that is missing or cannot be read has its default.
  package init(settings: [String: String], proxy: String?) {
    self.init()
    func number(_ key: String) -> Int? { settings[key].flatMap { Int($0) } }
    func duration(_ key: String) -> Duration? { settings[key].flatMap { Duration(secondsText: $0) } }
    func text(_ key: String) -> String? { settings[key].flatMap { $0.isEmpty ? nil : $0 } }
    mode = text("mode").flatMap { Mode(rawValue: $0) } ?? mode
    concurrency = number("concurrency") ?? concurrency
    connectionsPerFile = number("connectionsPerFile") ?? connectionsPerFile
    connectionsPerHost = number("connectionsPerHost") ?? connectionsPerHost
    chunkSize = settings["chunkSize"].flatMap { Int64($0) }.map { ByteCount($0) } ?? chunkSize
    rate = settings["rate"].flatMap { Int64($0) }.map { ByteCount($0) }
    timeouts.connect = duration("timeouts.connect") ?? timeouts.connect
    timeouts.request = duration("timeouts.request") ?? timeouts.request
    timeouts.resource = duration("timeouts.resource") ?? timeouts.resource
    retry.maxAttempts = number("retry.maxAttempts") ?? retry.maxAttempts
    retry.baseDelay = duration("retry.baseDelay") ?? retry.baseDelay
    retry.maxDelay = duration("retry.maxDelay") ?? retry.maxDelay
    if let codes = settings["retry.statusCodes"] {
      retry.statusCodes = codes.split(separator: ",").compactMap { Int($0) }
    }
    progressInterval = duration("progressInterval") ?? progressInterval
    network.allowMetered = settings["network.allowMetered"] != "false"
    network.interface = text("network.interface")
    network.ipVersion = number("network.ipVersion").flatMap { Network.IPVersion(rawValue: $0) }
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
