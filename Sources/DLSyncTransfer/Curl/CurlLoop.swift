import CCurl
import DLSyncModel
import DLSyncSystem
import DLSyncThreading
import Synchronization

/// Drives every transfer of a process on one thread: libcurl's multi handle, its easy handles and their sockets.
///
/// Each turn starts what was submitted, lets libcurl work, collects what ended, lets paced transfers pass, and now and then
/// looks at what time ends: silence, deadlines, cancellation. It waits only when nothing of that led anywhere.
final class CurlLoop: ExecutorDriver, @unchecked Sendable {
  // Unchecked, proof: the stored `var`s, the handles and everything reachable from them are touched only in `turn` and in
  // what it calls, and in `submit`; both run on the one thread of the executor that this loop drives (`submit` is called by
  // an actor of that executor). Other threads use `requestStop` and `wake` alone: these touch a lock, an atomic, and the
  // multi handle through `curl_multi_wakeup`, the one function that libcurl allows from any thread. `deinit` runs when
  // nobody holds the loop, so after the thread's end.

  /// How often cancellation, silence and deadlines are looked at.
  private static let tickLength: Int64 = 50_000_000

  private let stopRequest = Locked<(@Sendable () -> Void)?>(nil)
  private let isStopRequested = Atomic<Bool>(false)
  private let multi: UnsafeMutableRawPointer
  /// How long it sleeps at most: `wake` ends it, but where libcurl found no descriptors for that.
  private let longestSleep: Int64
  private let pool = BufferPool()
  private let pacer = Pacer()
  private let shown = ShownHeaders()
  private let memo = HeaderMemo()
  private let doors = DoorCache()
  private let acknowledger = Acknowledger()
  private var gate = HostGate<Exchange>()
  private var idle: [CurlEasy] = []
  private var running: [Exchange] = []
  private var queued: [Exchange] = []
  private var submissions: [Submission] = []
  private var nextTick = MonotonicInstant(nanoseconds: 0)
  private var hasStopped = false
  private var isThreadReady = false
  /// False once this turn gave the thread a job: whoever was resumed by it, or by a callback in the middle of a transfer.
  private var mayWait = true

  init(_ library: CurlLibrary) {
    guard let multi = dl_curl_multi_init() else { preconditionFailure("libcurl has no memory for its first handle") }
    self.multi = multi
    longestSleep = dl_curl_multi_wakeup(multi) == CURLM_OK ? 60_000_000_000 : Self.tickLength
    _ = dl_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, ConnectionCache.size(openFiles: OpenFileLimit.current))
    _ = dl_curl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 256)
  }

  deinit {
    for exchange in running {
      if let easy = exchange.easy { dl_curl_multi_remove_handle(multi, easy.pointer) }
    }
    running = []
    idle = []
    dl_curl_multi_cleanup(multi)
  }

  // MARK: From any thread

  /// Cancels everything, now and for ever, and calls back on the thread when that is done.
  func requestStop(_ onStopped: @escaping @Sendable () -> Void) {
    stopRequest.withLock { $0 = onStopped }
    isStopRequested.store(true, ordering: .releasing)
    wake()
  }

  func wake() { dl_curl_multi_wakeup(multi) }

  // MARK: On the thread

  func noteJob() { mayWait = false }

  /// Begins a transfer at the next turn.
  func submit(_ submission: Submission) { submissions.append(submission) }

  func turn(timeout: Duration?) {
    mayWait = true
    if !isThreadReady {
      isThreadReady = true
      CurlLibrary.prepareThread()
    }
    stopIfRequested()
    beginSubmitted()
    if !running.isEmpty {
      var stillRunning: Int32 = 0
      let code = dl_curl_multi_perform(multi, &stillRunning)
      collect()
      // Nothing that it holds would ever end.
      if code != CURLM_OK { for exchange in running { abandon(exchange, .failed(CurlFailure.refusal(code))) } }
      acknowledger.acknowledge()
      let now = MonotonicInstant.now
      if pacer.count > 0 { letPass(now) }
      if now >= nextTick {
        if now.seconds(since: nextTick) > 1 { forgiveSilence(now) }
        nextTick = now.advanced(by: Self.tickLength)
        tick(now)
      }
    }
    guard mayWait else { return }
    let milliseconds = waitingTime(timeout)
    guard milliseconds > 0 else { return }
    dl_curl_multi_poll(multi, Int32(clamping: milliseconds))
  }

  private func waitingTime(_ timeout: Duration?) -> Int64 {
    var nanoseconds = min(timeout?.inNanoseconds ?? .max, longestSleep)
    if !running.isEmpty || !queued.isEmpty { nanoseconds = min(nanoseconds, Self.tickLength) }
    if pacer.count > 0 {
      let now = MonotonicInstant.now
      if let opening = pacer.nextOpening(now) { nanoseconds = min(nanoseconds, opening.nanoseconds - now.nanoseconds) }
    }
    // Rounded up: waking a little too late costs less than waking too early again and again.
    return (nanoseconds + 999_999) / 1_000_000
  }

  private func beginSubmitted() {
    guard !submissions.isEmpty else { return }
    for submission in submissions {
      let exchange = Exchange(
        submission.request, submission.continuation, pool: pool, pacer: pacer, shown: shown, memo: memo,
        acknowledger: acknowledger)
      if hasStopped || submission.request.cancel.isCancelled { exchange.end(.cancelled) } else { start(exchange) }
    }
    submissions.removeAll(keepingCapacity: true)
  }

  private func stopIfRequested() {
    guard isStopRequested.exchange(false, ordering: .acquiring) else { return }
    mayWait = false
    hasStopped = true
    for exchange in running + queued { abandon(exchange, .cancelled) }
    idle = []
    let onStopped = stopRequest.withLock { request in
      defer { request = nil }
      return request
    }
    onStopped?()
  }

  // MARK: Beginning and ending

  private func start(_ exchange: Exchange) {
    let door = doors.door(exchange.request.settings, exchange.target)
    exchange.door = door
    if gate.enter(door, limit: exchange.request.settings.connectionsPerHost, exchange) {
      run(exchange)
    } else {
      queued.append(exchange)
    }
  }

  private func run(_ exchange: Exchange) {
    guard let easy = idle.popLast() ?? CurlEasy(acknowledger) else {
      leave(exchange)
      exchange.end(.failed(DLSyncError(.internal, "libcurl has no memory for another transfer")))
      return
    }
    pool.transfers = running.count + 1
    exchange.begin(with: easy)
    exchange.index = running.count
    running.append(exchange)
    let code = dl_curl_multi_add_handle(multi, easy.pointer)
    if code != CURLM_OK { abandon(exchange, .failed(CurlFailure.refusal(code))) }
  }

  private func collect() {
    var code = CURLE_OK
    while let easy = dl_curl_next_done(multi, &code) {
      guard let context = dl_curl_private(easy) else { continue }
      finish(Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue(), code)
    }
  }

  private func finish(_ exchange: Exchange, _ code: CURLcode) {
    let next = exchange.complete(code)
    release(exchange)
    switch next {
    case .hop: start(exchange)
    case .end(let end): exchange.end(end)
    }
  }

  /// Ends a transfer whatever it does right now.
  private func abandon(_ exchange: Exchange, _ end: TransferOutcome.End) {
    if exchange.index >= 0 {
      release(exchange)
    } else if let door = exchange.door {
      gate.giveUp(door) { $0 === exchange }
      queued.removeAll { $0 === exchange }
    }
    exchange.end(end)
  }

  /// Takes the handle back and lets the next transfer to that host begin.
  private func release(_ exchange: Exchange) {
    pacer.remove(exchange)
    if let easy = exchange.easy {
      dl_curl_multi_remove_handle(multi, easy.pointer)
      easy.rest()
      exchange.easy = nil
      idle.append(easy)
    }
    let last = running.removeLast()
    pool.transfers = running.count
    if last !== exchange {
      running[exchange.index] = last
      last.index = exchange.index
    }
    exchange.index = -1
    leave(exchange)
  }

  private func leave(_ exchange: Exchange) {
    guard let door = exchange.door else { return }
    exchange.door = nil
    if let next = gate.leave(door) {
      queued.removeAll { $0 === next }
      run(next)
    }
  }

  // MARK: Time

  private func letPass(_ now: MonotonicInstant) {
    // Each gets one turn at most, so that libcurl's own work is not kept waiting.
    for _ in 0..<pacer.count {
      guard let exchange = pacer.takeDue(.now), let easy = exchange.easy else { return }
      exchange.lastActivity = now
      let code = dl_curl_easy_pause(easy.pointer, CURLPAUSE_CONT)
      if code != CURLE_OK { finish(exchange, code) }
    }
  }

  /// Nobody looked for so long: the process was stopped, or the machine slept. That silence is not the servers'.
  private func forgiveSilence(_ now: MonotonicInstant) {
    for exchange in running where exchange.lastActivity != nil { exchange.lastActivity = now }
  }

  private func tick(_ now: MonotonicInstant) {
    let calls = running.compactMap { exchange in TransferClock.call(exchange, now).map { (exchange, $0) } }
    let ends = queued.compactMap { exchange in TransferClock.endOfWaiting(exchange, now).map { (exchange, $0) } }
    for (exchange, call) in calls {
      switch call {
      case .end(let end): abandon(exchange, end)
      case .finishRequest: finish(exchange, CURLE_OK)
      }
    }
    for (exchange, end) in ends { abandon(exchange, end) }
  }
}
