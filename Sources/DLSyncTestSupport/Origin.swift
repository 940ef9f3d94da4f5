import DLSyncThreading
import Glibc

/// An HTTP/1.1 server on loopback whose answers are scripts. It has an ephemeral port on 127.0.0.1, and the same one on
/// ::1 where that can be had; it records every request and is gone with its last reference.
///
///     let origin = try Origin()
///     origin.serve("/a.bin", [.status(503), .file(bytes)])
///     … fetch origin.url("/a.bin") …
///     #expect(origin.requests("/a.bin").count == 2)
package final class Origin: Sendable {
  /// Makes the answer to a request.
  package typealias Answer = @Sendable (RecordedRequest) -> Script

  /// The port, the same for both families.
  package let port: UInt16
  /// Whether ::1 is served too.
  package let hasIPv6: Bool
  private let core: OriginCore

  /// Starts to listen.
  package init() throws {
    let (listener, port) = try Socket.listen(onLoopback: .ipv4, port: 0)
    let second = try? Socket.listen(onLoopback: .ipv6, port: port)
    self.port = port
    hasIPv6 = second != nil
    core = OriginCore(listeners: [listener] + (second.map { [$0.descriptor] } ?? []))
    core.start()
  }

  deinit { core.stop() }

  /// Stops listening and ends every connection. What was recorded stays.
  package func stop() { core.stop() }

  // MARK: Addresses

  /// `http://127.0.0.1:PORT`.
  package var base: String { "http://127.0.0.1:\(port)" }
  /// The URL of a path on 127.0.0.1.
  package func url(_ path: String) -> String { base + path }
  /// The URL of a path on ::1.
  package func ipv6URL(_ path: String) -> String { "http://[::1]:\(port)\(path)" }
  /// The URL of a path by the name `localhost`: another origin with the same server.
  package func localhostURL(_ path: String) -> String { "http://localhost:\(port)\(path)" }

  // MARK: Answers

  /// Every request for the path gets this answer.
  @discardableResult
  package func serve(_ path: String, _ script: Script) -> String { serve(path) { _ in script } }

  /// The first request for the path gets the first answer, and so on; the last one stays.
  @discardableResult
  package func serve(_ path: String, _ scripts: [Script]) -> String {
    precondition(!scripts.isEmpty, "an origin needs an answer")
    return serve(path) { request in scripts[min(request.attempt, scripts.count) - 1] }
  }

  /// The answer is made from the request.
  @discardableResult
  package func serve(_ path: String, _ answer: @escaping Answer) -> String {
    core.state.withLock { $0.routes[path] = answer }
    return url(path)
  }

  /// Paths that nothing else was said about get this answer instead of 404.
  package func serveOthers(_ answer: @escaping Answer) {
    core.state.withLock { $0.others = answer }
  }

  // MARK: What happened

  /// Every request so far, in the order of their coming; those for one path when it is given.
  package func requests(_ path: String? = nil) -> [RecordedRequest] {
    let all = core.state.withLock { $0.requests }
    return all.filter { path == nil || $0.path == path }
  }

  /// The largest number of requests that were being answered at one time.
  package var peakConcurrency: Int { core.state.withLock { $0.peak } }
  /// Requests that are being answered now.
  package var liveRequests: Int { core.state.withLock { $0.live } }
  /// Connections that were made so far.
  package var connectionCount: Int { core.state.withLock { $0.connectionCount } }
  /// Connections that neither side has closed.
  package var openConnections: Int { core.state.withLock { $0.open.count } }
  /// Body bytes that were sent so far.
  package var bodyBytesSent: Int64 { core.bodyBytes.value }

  /// Waits until something is so, at most for the given time; false when the time is over.
  package func wait(_ limit: Duration = .seconds(10), until condition: (Origin) -> Bool) -> Bool {
    let end = MonotonicInstant.now.advanced(by: limit.nanosecondCount)
    while !condition(self) {
      if MonotonicInstant.now >= end { return false }
      usleep(2000)
    }
    return true
  }
}
