import DLSyncModel
import Testing

@Suite struct RecordedConfigurationTests {
  private func recorded(_ configuration: QueueConfiguration, proxy: String? = nil) -> QueueConfiguration {
    let settings = Dictionary(uniqueKeysWithValues: configuration.settings.map { ($0.key, $0.value) })
    return QueueConfiguration(settings: settings, proxy: proxy)
  }

  @Test func defaultsComeBack() {
    #expect(recorded(QueueConfiguration()) == QueueConfiguration())
    #expect(QueueConfiguration(settings: [:], proxy: nil) == QueueConfiguration())
  }

  @Test func everySettingComesBack() {
    var queue = QueueConfiguration()
    queue.mode = .background
    queue.concurrency = 7
    queue.connectionsPerFile = 4
    queue.connectionsPerHost = 9
    queue.chunkSize = ByteCount(65_536)
    queue.rate = ByteCount(12_345)
    queue.timeouts.connect = .milliseconds(1500)
    queue.timeouts.request = .seconds(3)
    queue.timeouts.resource = .seconds(4)
    queue.retry.maxAttempts = 9
    queue.retry.baseDelay = .milliseconds(20)
    queue.retry.maxDelay = .seconds(2)
    queue.retry.statusCodes = [500, 599]
    queue.progressInterval = .milliseconds(100)
    queue.network.allowMetered = false
    queue.network.interface = "eth0"
    queue.network.ipVersion = .v6
    queue.network.proxy = .url("http://user:word@proxy.example:3128")
    queue.tls.caFile = "/ca"
    queue.tls.clientCertificate = "/cert"
    queue.tls.clientKey = "/key"
    queue.tls.minVersion = .v1_3
    #expect(recorded(queue, proxy: "http://user:word@proxy.example:3128") == queue)
    queue.network.proxy = QueueConfiguration.Network.Proxy.none
    #expect(recorded(queue) == queue)
  }

  /// Somebody may have edited the state, or another version have written it.
  @Test(arguments: ["-9223372036854775808", "-5", "0", "9223372036854775807"])
  func aNumberOutOfItsRangeIsTheNearestInIt(text: String) {
    let numbers = QueueConfiguration().settings.map(\.key).filter {
      !["mode", "network.ipVersion"].contains($0) && !$0.hasPrefix("tls.") && $0 != "retry.statusCodes"
    }
    let settings = Dictionary(uniqueKeysWithValues: numbers.map { ($0, text) })
    let queue = QueueConfiguration(settings: settings, proxy: nil)
    let isLow = text.hasPrefix("-") || text == "0"
    #expect(queue.concurrency == (isLow ? 1 : 64))
    #expect(queue.connectionsPerFile == (isLow ? 1 : 16))
    #expect(queue.connectionsPerHost == (isLow ? 1 : 64))
    #expect(queue.chunkSize == ByteCount(isLow ? 65_536 : 16 << 20))
    #expect(queue.rate == (isLow ? nil : ByteCount(.max)))
    #expect(queue.retry.maxAttempts == (isLow ? 1 : 100))
    #expect(queue.progressInterval == (isLow ? .milliseconds(100) : .seconds(10)))
    #expect(queue.timeouts.request == (isLow ? .milliseconds(1) : DurationText.longest))
    #expect(queue.retry.maxDelay == (isLow ? .zero : DurationText.longest))
  }
}
