import DLSyncModel

extension QueueConfiguration {
  private static let chunkSizes: ClosedRange<Int64> = 65_536...(16 << 20)

  /// Every key of a queue.
  static let table = KeyTable<QueueConfiguration>([
    .choice("mode", \.mode),
    .whole("concurrency", \.concurrency, in: 1...64),
    .whole("connectionsPerFile", \.connectionsPerFile, in: 1...16),
    .whole("connectionsPerHost", \.connectionsPerHost, in: 1...64),
    .init("chunkSize", .size(chunkSizes)) { queue, node, state in
      if let size = state.size(node, in: chunkSizes) { queue.chunkSize = size }
    },
    .init("rate", .rate) { queue, node, state in
      if let rate = state.rate(node) { queue.rate = rate.limit }
    },
    .mapping("timeouts", Timeouts.table, \.timeouts),
    .mapping("retry", Retry.table, \.retry),
    .duration(
      "progressInterval", \.progressInterval, in: .milliseconds(100)...(.seconds(10)), limits: "100ms to 10s"),
    .mapping("network", Network.table, \.network),
    .mapping("tls", TLS.table, \.tls),
  ])
}

extension QueueConfiguration.Timeouts {
  static let table = KeyTable<Self>([
    .duration("connect", \.connect), .duration("request", \.request), .duration("resource", \.resource),
  ])
}

extension QueueConfiguration.Retry {
  static let table = KeyTable<Self>([
    .whole("maxAttempts", \.maxAttempts, in: 1...100),
    .duration("baseDelay", \.baseDelay, in: .zero...DurationText.longest),
    .duration("maxDelay", \.maxDelay, in: .zero...DurationText.longest),
    .init("statusCodes", .list(.whole(400...599))) { retry, node, state in
      if let codes = state.statusCodes(node) { retry.statusCodes = codes }
    },
  ])
}

extension QueueConfiguration.Network {
  static let table = KeyTable<Self>([
    .init("allowMetered", .boolean) { network, node, state in
      if let isAllowed = state.bool(node) { network.allowMetered = isAllowed }
    },
    .init("interface", .text) { network, node, state in
      if let name = state.interface(node) { network.interface = name }
    },
    .init("ipVersion", .either([.whole(4...4), .whole(6...6)])) { network, node, state in
      guard let text = state.text(node) else { return }
      network.ipVersion = NumberText.whole(text.value).flatMap { IPVersion(rawValue: Int(clamping: $0)) }
      if network.ipVersion == nil { state.report(node, "\(text.shown) is not `4` or `6`") }
    },
    .init("proxy", .text) { network, node, state in
      if let proxy = ProxyDecoder(state: state).decode(node) { network.proxy = proxy }
    },
  ])
}

extension QueueConfiguration.TLS {
  static let table = KeyTable<Self>([
    .path("caFile", \.caFile), .path("clientCertificate", \.clientCertificate), .path("clientKey", \.clientKey),
    .choice("minVersion", \.minVersion),
  ])
}
