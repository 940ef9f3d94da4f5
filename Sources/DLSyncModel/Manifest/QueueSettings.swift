/// One setting of a queue in canonical text, as records keep it and plans compare it.
public struct QueueSetting: Hashable, Sendable {
  /// The key as the manifest spells it, with dots: `timeouts.connect`.
  public let key: String
  /// The value in one canonical spelling; empty where the setting is absent. A proxy is a fingerprint, never its URL.
  public let value: String
  /// Whether it may only change while nothing of the queue runs.
  public let isFixedWhileRunning: Bool
}

extension QueueConfiguration {
  /// Every setting, in the order of the manifest's documentation.
  public var settings: [QueueSetting] {
    [
      .fixed("mode", mode.rawValue),
      .free("concurrency", "\(concurrency)"),
      .fixed("connectionsPerFile", "\(connectionsPerFile)"),
      .fixed("connectionsPerHost", "\(connectionsPerHost)"),
      .fixed("chunkSize", "\(chunkSize.bytes)"),
      .fixed("rate", rate.map { "\($0.bytes)" } ?? "unlimited"),
      .fixed("timeouts.connect", timeouts.connect.secondsText),
      .fixed("timeouts.request", timeouts.request.secondsText),
      .fixed("timeouts.resource", timeouts.resource.secondsText),
      .free("retry.maxAttempts", "\(retry.maxAttempts)"),
      .free("retry.baseDelay", retry.baseDelay.secondsText),
      .free("retry.maxDelay", retry.maxDelay.secondsText),
      .free("retry.statusCodes", retry.statusCodes.map(String.init).joined(separator: ",")),
      .free("progressInterval", progressInterval.secondsText),
      .fixed("network.allowMetered", "\(network.allowMetered)"),
      .fixed("network.interface", network.interface ?? ""),
      .fixed("network.ipVersion", network.ipVersion.map { "\($0.rawValue)" } ?? ""),
      .fixed("network.proxy", network.proxy.map(Self.proxyText) ?? ""),
      .fixed("tls.caFile", tls.caFile ?? ""),
      .fixed("tls.clientCertificate", tls.clientCertificate ?? ""),
      .fixed("tls.clientKey", tls.clientKey ?? ""),
      .fixed("tls.minVersion", tls.minVersion.rawValue),
    ]
  }

  private static func proxyText(_ proxy: Network.Proxy) -> String {
    switch proxy {
    case .none: return "none"
    case .url(let url):
      var hash = StableHash()
      hash.combine(url)
      return "url-" + String(hash.finish(), radix: 16)
    }
  }
}

extension QueueSetting {
  fileprivate static func fixed(_ key: String, _ value: String) -> QueueSetting {
    QueueSetting(key: key, value: value, isFixedWhileRunning: true)
  }
  fileprivate static func free(_ key: String, _ value: String) -> QueueSetting {
    QueueSetting(key: key, value: value, isFixedWhileRunning: false)
  }
}
