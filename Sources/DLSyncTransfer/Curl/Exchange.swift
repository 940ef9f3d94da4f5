import CCurl
import DLSyncModel
import DLSyncSystem
import DLSyncThreading

/// One transfer on its way: its requests one after another (redirects), and what came of them. Confined to the transfer
/// thread.
///
///     waiting ──► asking ──► receiving ──► ended
///        ▲          │  └───► draining ──┬──► ended
///        └──────────┴───── (redirect) ──┘
final class Exchange {
  enum Phase { case waiting, asking, receiving, draining, ended }
  enum Receipt { case taken, pause, stop }
  /// What a finished request leads to.
  enum Next { case hop, end(TransferOutcome.End) }

  /// A body that nobody wants is read up to here, so that its connection can be used again.
  private static let drainLimit: Int64 = 64 * 1024

  let request: TransferRequest
  private let continuation: CheckedContinuation<TransferOutcome, Never>
  private let pool: BufferPool
  private let pacer: Pacer
  private let shown: ShownHeaders
  private let acknowledger: Acknowledger

  private(set) var phase = Phase.waiting
  private var trail: RedirectTrail
  private var parser: HeaderParser
  /// Whether the present target is asked once more, over a connection of its own.
  private var hasAskedAnew = false
  private var foundUnreadBytes = false
  private var verdict: TransferOutcome.End?
  private var facts: ResponseFacts?
  private var retryAfter: HostPause?
  private(set) var body: BodyReceiver?
  private var drainLeft: Int64 = 0

  /// The handle of the present request; the loop's.
  var easy: CurlEasy?
  /// Place in the loop's table of running transfers.
  var index = -1
  var door: HostDoor?
  /// Whether the peer said that it closes its TLS connection.
  var sawProperClose = false
  /// Whether nothing but a proper close can show that the body is whole.
  private var needsProperClose = false
  var isPaused = false
  var turnLeft = 0
  /// When a byte came last, or the wait for one began; nil while the connection is being made.
  var lastActivity: MonotonicInstant?
  var lastFlush = MonotonicInstant(nanoseconds: 0)

  init(
    _ request: TransferRequest, _ continuation: CheckedContinuation<TransferOutcome, Never>, pool: BufferPool,
    pacer: Pacer, shown: ShownHeaders, memo: HeaderMemo, acknowledger: Acknowledger
  ) {
    self.request = request
    self.continuation = continuation
    self.pool = pool
    self.pacer = pacer
    self.shown = shown
    self.acknowledger = acknowledger
    parser = HeaderParser(memo)
    trail = RedirectTrail(request)
  }

  /// The present request's URL.
  var target: SourceURL { trail.target }

  // MARK: A request begins and ends

  /// Aims the handle at the present target.
  func begin(with easy: CurlEasy) {
    self.easy = easy
    phase = .asking
    parser.reset()
    lastActivity = nil
    sawProperClose = false
    easy.aim(
      target, settings: request.settings, lines: trail.lines(of: request),
      pace: request.rateLimits.isEmpty ? nil : CurlEasy.Pace(rate: request.rateLimits.compactMap(\.rate).min()),
      needsOwnConnection: request.needsOwnConnection, needsNewConnection: hasAskedAnew, bufferSize: pool.share,
      context: Unmanaged.passUnretained(self).toOpaque())
  }

  /// The request is over, for libcurl with this code.
  func complete(_ code: CURLcode) -> Next {
    if trail.hop() {
      hasAskedAnew = false
      phase = .waiting
      return .hop
    }
    if isOldAnswer(code) {
      hasAskedAnew = true
      phase = .waiting
      return .hop
    }
    return .end(verdict ?? bodyEnd(code))
  }

  /// What came is no HTTP, and may be what another answer on that connection left behind (RFC 9112, section 9.3): whoever
  /// asks over a connection of its own learns what the server says.
  private func isOldAnswer(_ code: CURLcode) -> Bool {
    if foundUnreadBytes {
      foundUnreadBytes = false
      return true
    }
    guard code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY, phase == .asking, verdict == nil
    else {
      return false
    }
    return !hasAskedAnew && easy?.usedOldConnection == true
  }

  /// Whether the request may go over the connection that libcurl chose: not where bytes lie unread that came before it.
  /// Whatever they look like, they answer something else. In TLS they may be its own.
  func maySend(fromPort port: Int) -> Bool {
    guard target.scheme == "http", !hasAskedAnew, easy?.usedOldConnection == true,
      acknowledger.hasUnreadBytes(port: port)
    else { return true }
    foundUnreadBytes = true
    easy?.forbidReuse()
    return false
  }

  /// Hands the outcome over. Nothing happens to the transfer after that.
  func end(_ end: TransferOutcome.End) {
    guard phase != .ended else { return }
    phase = .ended
    var end = end
    if body != nil {
      do { try body?.flush() } catch {
        end = .failed(error)
      }
    }
    let received = body?.received ?? 0
    body?.close()
    continuation.resume(
      returning: TransferOutcome(end: end, response: facts, received: received, retryAfter: retryAfter))
  }

  /// Hands collected bytes on; what the sink says, if it fails.
  func flush() -> DLSyncError? {
    do { try body?.flush() } catch { return error }
    return nil
  }

  /// Whether only bytes that nobody needs are waited for.
  var needsNothing: Bool {
    switch phase {
    case .draining: true
    case .receiving: body?.isWhole ?? false
    default: false
    }
  }

  /// How the body ended, now that libcurl is done with it.
  private func bodyEnd(_ code: CURLcode) -> TransferOutcome.End {
    guard let body, body.isWhole || code == CURLE_OK else {
      return .failed(CurlFailure(code, of: self).error)
    }
    let isCut = needsProperClose && !sawProperClose
    do {
      return try body.end(
        isOrderly: !isCut, declared: request.declaredSize, url: target,
        underlying: isCut ? "no TLS close_notify before the end" : nil)
    } catch {
      return .failed(error)
    }
  }

  // MARK: What libcurl hands over

  /// One line of a head; false ends the request.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    lastActivity = .now
    guard phase == .asking else { return true }
    switch parser.take(line) {
    case .more: return true
    case .head(let head):
      acknowledger.expect(self)
      return receive(head)
    case .invalid(let why):
      verdict = .failed(DLSyncError(.protocolError, "the answer of \"\(target.host)\" is not valid HTTP: \(why)"))
      return false
    }
  }

  /// A piece of a body.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Receipt {
    guard phase == .receiving else {
      drainLeft -= Int64(bytes.count)
      return drainLeft >= 0 ? .taken : .stop
    }
    if !request.rateLimits.isEmpty, !pacer.admit(self, bytes.count) { return .pause }
    lastActivity = .now
    do {
      guard try body?.take(bytes) ?? false else { return .stop }
      if body?.endsWithin(Acknowledger.longestPacket) == true { acknowledger.expect(self) }
      return .taken
    } catch {
      verdict = .failed(error)
      return .stop
    }
  }

  private func receive(_ head: ResponseHead) -> Bool {
    if head.statusCode == 101 {
      verdict = .failed(
        DLSyncError(
          .protocolError, "\"\(target.host)\" switches to another protocol than HTTP, which nobody asked for"))
      return false
    }
    if (100..<200).contains(head.statusCode) { return true }
    switch trail.decide(head) {
    case .follow(let next, let keeps):
      if !isPaused(next.host) { trail.follow(next, keepsHeaders: keeps, from: head) }
      return drain(head)
    case .refuse(let error):
      verdict = .failed(error)
      return drain(head)
    case .stay: return judge(head)
    }
  }

  /// Whether a host that a redirect leads to asked to be left alone: then nobody asks it now.
  private func isPaused(_ host: String) -> Bool {
    guard let pause = request.remainingPause?(host) else { return false }
    retryAfter = pause
    verdict = .failed(HTTPFailure.postponed(request.url, pause))
    return true
  }

  private func judge(_ head: ResponseHead) -> Bool {
    let judge = ResponseJudge(
      url: target, range: request.range, isConditional: request.condition != nil, declaredSize: request.declaredSize,
      keptCodings: request.keptCodings,
      usesProxy: target.scheme == "http" && easy?.asksHTTPProxy == true)
    switch judge.judge(head) {
    case .accept(let offset, let length, let total):
      guard announce(head, offset: offset, total: total) else { return false }
      lookAtFraming(head)
      body = BodyReceiver(request, pool: pool, offset: offset, length: length)
      phase = .receiving
      return true
    case .complete(let total):
      guard announce(head, offset: total, total: total) else { return false }
      verdict = .completed(length: total)
      return drain(head)
    case .unchanged:
      facts = makeFacts(head, offset: 0, total: nil)
      verdict = .unchanged
      return drain(head)
    case .reject(let error):
      facts = makeFacts(head, offset: 0, total: nil)
      retryAfter = RetryAfter.pause(head, of: target, now: WallClock.seconds)
      verdict = .failed(HTTPFailure.adding(retryAfter?.length, to: error))
      return drain(head)
    }
  }

  private func lookAtFraming(_ head: ResponseHead) {
    let framing = BodyLength(head)
    if case .chunked(besideLength: true) = framing { easy?.forbidReuse() }
    needsProperClose =
      target.scheme == "https" && head.majorVersion < 2 && framing == .untold && CurlCallbacks.reportsProperClose
  }

  private func announce(_ head: ResponseHead, offset: Int64, total: Int64?) -> Bool {
    let facts = makeFacts(head, offset: offset, total: total)
    self.facts = facts
    if let total { request.meter.total.set(total) }
    do {
      try request.onResponse(facts)
      return true
    } catch {
      verdict = .failed(error)
      return false
    }
  }

  private func makeFacts(_ head: ResponseHead, offset: Int64, total: Int64?) -> ResponseFacts {
    ResponseFacts(
      head, url: target, offset: offset, total: total, headers: shown.select(head.fields),
      keptHeaders: trail.keepsHeaders)
  }

  /// Reads a short rest, so that the connection can be used again; gives up the connection rather than read a long one.
  private func drain(_ head: ResponseHead) -> Bool {
    phase = .draining
    drainLeft = Self.drainLimit
    // These two never have a body, whatever their fields say (RFC 9110, section 6.4.1).
    if head.statusCode == 204 || head.statusCode == 304 { return true }
    return (BodyLength(head).bytes ?? 0) <= Self.drainLimit
  }
}
