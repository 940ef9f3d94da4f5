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

  let request: TransferRequest
  private let continuation: CheckedContinuation<TransferOutcome, Never>
  let pool: BufferPool
  private let pacer: Pacer
  let shown: ShownHeaders
  private let acknowledger: Acknowledger

  var phase = Phase.waiting
  var trail: RedirectTrail
  private var parser: HeaderParser
  private var doubt = OldConnectionDoubt()
  var verdict: TransferOutcome.End?
  var facts: ResponseFacts?
  var retryAfter: HostPause?
  var body: BodyReceiver?
  var drainLeft: Int64 = 0

  /// The handle of the present request; the loop's.
  var easy: CurlEasy?
  /// Place in the loop's table of running transfers.
  var index = -1
  var door: HostDoor?
  /// Whether the peer said that it closes its TLS connection.
  var sawProperClose = false
  /// Whether nothing but a proper close can show that the body is whole.
  var needsProperClose = false
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
      needsOwnConnection: request.needsOwnConnection, needsNewConnection: doubt.needsNewConnection,
      bufferSize: pool.share,
      context: Unmanaged.passUnretained(self).toOpaque())
  }

  /// The request is over, for libcurl with this code.
  func complete(_ code: CURLcode) -> Next {
    if trail.hop() {
      doubt = OldConnectionDoubt()
      phase = .waiting
      return .hop
    }
    if doubt.asksAnew(code, isUnanswered: phase == .asking && verdict == nil, usedOldConnection) {
      phase = .waiting
      return .hop
    }
    return .end(verdict ?? bodyEnd(code))
  }

  /// Whether the request may go over the connection that libcurl chose, which has this local port.
  func maySend(fromPort port: Int) -> Bool {
    // In TLS unread bytes may be its own.
    guard target.scheme == "http", usedOldConnection, !doubt.needsNewConnection,
      acknowledger.hasUnreadBytes(port: port)
    else { return true }
    doubt.foundUnreadBytes()
    easy?.forbidReuse()
    return false
  }

  private var usedOldConnection: Bool { easy?.usedOldConnection == true }

  /// Hands the outcome over. Nothing happens to the transfer after that.
  func end(_ end: TransferOutcome.End) {
    guard phase != .ended else { return }
    phase = .ended
    var end = end
    if body != nil {
      do { try body?.flush() } catch {
        if case .cancelled = end {} else { end = .failed(error) }
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
}
