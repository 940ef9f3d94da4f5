import DLSyncModel
import DLSyncThreading
import DLSyncTransfer
import Glibc

/// Collects what a transfer writes.
final class MemorySink: ByteSink {
  private let stored = Locked([UInt8]())
  private let failure: DLSyncError?

  init(failure: DLSyncError? = nil) { self.failure = failure }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DLSyncError) {
    if let failure { throw failure }
    let copy = Array(bytes)
    stored.withLock { stored in
      let end = Int(offset) + copy.count
      if stored.count < end { stored += [UInt8](repeating: 0, count: end - stored.count) }
      stored.replaceSubrange(Int(offset)..<end, with: copy)
    }
  }

  /// Whether these bytes, and none behind them, were written. A truth and not an array: a failed comparison of large
  /// arrays would be shown as a difference, which takes for ever to find.
  func holds(_ expected: [UInt8], from offset: Int = 0) -> Bool {
    stored.withLock { $0.count == offset + expected.count && $0.dropFirst(offset).elementsEqual(expected) }
  }

  var bytes: [UInt8] { stored.withLock { $0 } }
}

/// `count` bytes that differ along the way, the same at every call; at most a million.
func sample(_ count: Int) -> [UInt8] { Array(longSample[..<count]) }

private let longSample = [UInt8](unsafeUninitializedCapacity: 1_000_000) { buffer, count in
  for index in 0..<1_000_000 { buffer[index] = UInt8(truncatingIfNeeded: (7 * index + 13) % 251) }
  count = 1_000_000
}

/// A response's bytes.
func reply(_ status: String = "200 OK", _ fields: [String] = [], body: [UInt8] = [], length: Int? = nil)
  -> LoopbackServer.Step
{
  let lines = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(length ?? body.count)", "", ""]
  return .send(Array(lines.joined(separator: "\r\n").utf8) + body)
}

/// One request's parts, with defaults that most tests want.
struct Ask {
  var headers: [HeaderField] = []
  var headerOrigin: String?
  var range: RangeRequest?
  var declaredSize: ByteCount?
  var keptCodings = KeptCodings.none
  var configuration = QueueConfiguration()
  var environment: [String: String] = [:]
  var rateLimits: [RateLimit] = []
  var deadline: MonotonicInstant?
  var meter = TransferMeter()
  var cancel = CancelToken()
  var sink = MemorySink()
  var remainingPause: (@Sendable (String) -> HostPause?)?
  var onResponse: @Sendable (ResponseFacts) throws(DLSyncError) -> Void = { _ throws(DLSyncError) in }

  func request(_ text: String, settings: TransferSettings? = nil) throws -> TransferRequest {
    let url = try SourceURL(text)
    return TransferRequest(
      url: url, headers: headers, headerOrigin: headerOrigin ?? url.origin, range: range, declaredSize: declaredSize,
      keptCodings: keptCodings,
      settings: settings ?? TransferSettings(configuration, userAgent: "dlsync/test", environment: environment),
      rateLimits: rateLimits, deadline: deadline, meter: meter, cancel: cancel, sink: sink,
      remainingPause: remainingPause, onResponse: onResponse)
  }
}

/// Runs one transfer on a transport of its own.
func fetch(_ url: String, _ ask: Ask = Ask()) async throws -> TransferOutcome {
  let transport = CurlTransport()
  defer { transport.stop() }
  return await transport.fetch(try ask.request(url))
}

extension TransferOutcome {
  /// The error it failed with, if it did.
  var error: DLSyncError? { if case .failed(let error) = end { error } else { nil } }
  /// The length it completed with, if it did.
  var length: Int64? { if case .completed(let length) = end { length } else { nil } }
}

func head(_ status: Int, _ fields: KeyValuePairs<String, String> = [:]) -> ResponseHead {
  ResponseHead(statusCode: status, fields: fields.map { HeaderField($0.key, $0.value) })
}

/// A server's short thought.
func usleepOneTick() { usleep(10_000) }
