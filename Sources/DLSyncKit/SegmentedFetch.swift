internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// How one attempt at the bytes of a file ended.
enum FetchEnd: Sendable {
  /// Every byte is in the part file; the resource has this length.
  case complete(length: Int64)
  /// The server has nothing newer than what the request's condition names.
  case unchanged
  case failed(DLSyncError, retryAfter: Duration?)
  case cancelled

  var isComplete: Bool { if case .complete = self { true } else { false } }
}

/// Brings the missing bytes of one file with as many connections as queue and server allow.
///
/// The first request's response is the first segment: nothing is probed. When it shows that ranges are answered and has a
/// strong validator, further connections split what is left; one that runs dry takes a part of the rest that would take
/// longest. A server that refuses more connections gets fewer. Whatever is not provably the same resource ends the attempt.
actor SegmentedFetch {
  nonisolated let executor: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private enum Signal: Sendable {
    /// The first response was judged good and its pace looked at, or there will be none.
    case responded
    case ended(Int, TransferOutcome)
    case tick
  }

  let context: FetchContext
  /// What the first request of this attempt resumes from; nil asks for the whole.
  private let resume: ResumePoint?
  private var layout: SegmentLayout?
  private var segments: [Int: RunningSegment] = [:]
  private var lastSegment = 0
  /// What the first good response told.
  private var facts: ResponseFacts?
  /// The first final response, good or not.
  private(set) var firstResponse: ResponseFacts?
  /// Connections at once, as far as the server has refused none.
  private var allowed: Int
  /// Where ranges are asked: where the last good response came from, until that stops answering; nil asks the file's own
  /// URL.
  private var target: SourceURL?
  /// The shortest time from a request to its response, in seconds.
  private var startup = Double.infinity
  private var end: FetchEnd?
  /// Payload bytes that travelled.
  private(set) var received: Int64 = 0
  /// Whether the first response's pace was looked at, in seconds at most.
  private var isLookedAt = false
  private static let longestLook = 0.05
  private var responseWaiter: CheckedContinuation<Void, Never>?

  init(_ context: FetchContext, resume: ResumePoint?) {
    self.context = context
    self.resume = resume
    executor = context.transport.executor
    allowed = context.connections
  }

  /// Runs the attempt to its end.
  func run() async -> FetchEnd {
    await withTaskGroup(of: Signal.self) { group in
      startFirst(&group)
      group.addTask(executorPreference: executor) { await self.waitForResponse() }
      if context.connections > 1 { group.addTask(executorPreference: executor) { await self.tick() } }
      while !segments.isEmpty, let signal = await group.next() {
        switch signal {
        case .responded: break
        case .ended(let number, let outcome): finish(number, outcome)
        case .tick:
          reviveStragglers()
          group.addTask(executorPreference: executor) { await self.tick() }
        }
        if end == nil { widen(&group) } else { stopAll() }
      }
      releaseWaiter()
      group.cancelAll()
    }
    return end
      ?? .failed(
        DLSyncError(.connectionLost, "no connection was left for \"\(context.url.redacted)\""), retryAfter: nil)
  }

  private func stopAll() {
    for segment in segments.values { segment.cancel.cancel() }
  }

  // MARK: Signals

  private func waitForResponse() async -> Signal {
    if facts == nil, end == nil { await withCheckedContinuation { responseWaiter = $0 } }
    // What comes so fast that it is there before help would be needs none: help takes about as long as the first response
    // took, so half of that tells.
    if startup.isFinite, end == nil {
      let pause = min(startup / 2, Self.longestLook)
      await executor.sleep(until: MonotonicInstant.now.advanced(by: Int64(pause * 1e9)))
    }
    isLookedAt = true
    return .responded
  }

  private func releaseWaiter() {
    responseWaiter?.resume()
    responseWaiter = nil
  }

  private func tick() async -> Signal {
    await executor.sleep(until: MonotonicInstant.now.advanced(by: 1_000_000_000))
    return .tick
  }

  // MARK: Requests

  private func startFirst(_ group: inout TaskGroup<Signal>) {
    let hole = resume?.firstHole
    let range = hole.map { hole in
      RangeRequest(lower: hole.lower, upper: hole.upper, validator: resume?.validator, total: resume?.total)
    }
    start(&group, range: range, lower: hole?.lower ?? 0, layoutID: nil) { (fetch, facts) throws(DLSyncError) in
      try fetch.accept(first: facts)
    }
  }

  /// The first response is good: the layout follows from it, or the part file begins anew.
  private func accept(first facts: ResponseFacts) throws(DLSyncError) {
    self.facts = facts
    var present = resume?.present ?? []
    if resume != nil, facts.statusCode == 200 {
      // The server sends the whole resource from its start; what is there counts for nothing.
      try context.part.restart()
      context.progress.set(0)
      present = []
    }
    segments[lastSegment]?.lower = facts.offset
    if let total = facts.total {
      context.total.set(total)
      var layout = SegmentLayout(total: total, present: present, smallestSplit: context.smallestSplit)
      let hole =
        layout.openHoles.first { $0.lower == facts.offset } ?? ByteRange(facts.offset, max(total, facts.offset))
      segments[lastSegment]?.layoutID = layout.begin(.hole(hole))
      segments[lastSegment]?.meter.end.set(hole.upper)
      self.layout = layout
    }
    try context.onResponse(facts)
    releaseWaiter()
  }

  private func start(
    _ group: inout TaskGroup<Signal>, range: RangeRequest?, lower: Int64, layoutID: SegmentLayout.SegmentID?,
    onResponse: @escaping @Sendable (isolated SegmentedFetch, ResponseFacts) throws(DLSyncError) -> Void
  ) {
    lastSegment += 1
    let number = lastSegment
    let segment = RunningSegment(
      meter: TransferMeter(file: context.progress), cancel: CancelToken(parent: context.cancel), lower: lower,
      upper: range?.upper ?? .max, layoutID: layoutID, url: target ?? context.url, begun: .now)
    if let layoutID, let end = layout?.end(of: layoutID) { segment.meter.end.set(end) }
    segments[number] = segment
    let request = context.request(segment, range: range) { [weak self] (facts) throws(DLSyncError) in
      try self?.assumingIsolation { (fetch) throws(DLSyncError) in
        let now = MonotonicInstant.now
        fetch.startup = min(fetch.startup, now.seconds(since: segment.begun))
        fetch.segments[number]?.responded = now
        try onResponse(fetch, facts)
        fetch.target = facts.finalURL
      }
    }
    let transport = context.transport
    group.addTask(executorPreference: executor) { .ended(number, await transport.fetch(request)) }
  }

  /// Gives every connection that may be open something to do.
  private func widen(_ group: inout TaskGroup<Signal>) {
    guard let facts, let total = layout?.total, isLookedAt || segments.isEmpty else { return }
    // Without a validator only a declared checksum can prove what is joined; whoever resumes so knows that there is one.
    let isProvable = facts.validator != nil || resume.map { $0.validator == nil } == true
    guard facts.acceptsRanges, isProvable else { return }
    observeSpeeds()
    let startup = startup.isFinite ? startup : 0
    while segments.count < max(1, allowed),
      let assignment = layout?.nextAssignment(expectedSpeed: medianSpeed, startup: startup)
    {
      guard let id = layout?.begin(assignment) else { return }
      if case .split(let victim, let range) = assignment {
        segments.values.first { $0.layoutID == victim }?.meter.end.set(range.lower)
      }
      let range = assignment.range
      let isWhole = range.lower == 0 && range.upper == total
      let request =
        isWhole
        ? nil : RangeRequest(lower: range.lower, upper: range.upper, validator: facts.validator, total: total)
      start(&group, range: request, lower: range.lower, layoutID: id) { (_, response) throws(DLSyncError) in
        if response.offset != range.lower || response.statusCode == 200 && !isWhole { throw .notARange }
      }
    }
    if segments.count >= allowed { extendSegments() }
  }

  /// What no further connection may fetch is left to those that asked for it before it was taken from them.
  private func extendSegments() {
    for segment in segments.values {
      guard let id = segment.layoutID, let end = layout?.extend(id, upTo: segment.upper) else { continue }
      segment.meter.end.set(end)
    }
  }

  // MARK: Ends

  private func finish(_ number: Int, _ outcome: TransferOutcome) {
    guard let segment = segments.removeValue(forKey: number) else { return }
    received += outcome.received
    firstResponse = firstResponse ?? outcome.response
    if let id = segment.layoutID { layout?.finish(id, at: segment.position) }
    switch outcome.end {
    case .completed(let length):
      if layout == nil { conclude(.complete(length: length)) }
    case .cancelled where context.cancel.isCancelled: conclude(.cancelled)
    case .cancelled: break  // reopened, or not needed any more
    case .unchanged: conclude(.unchanged)
    case .failed(let error): consider(error, of: segment, retryAfter: outcome.retryAfter)
    }
    if let layout, layout.isComplete, segments.isEmpty { conclude(.complete(length: layout.total)) }
  }

  /// A connection failed: that may concern it alone, or the whole attempt.
  private func consider(_ error: DLSyncError, of segment: RunningSegment, retryAfter: Duration?) {
    let status = error.details.statusCode ?? 0
    if segment.url != context.url, [403, 404, 410].contains(status) {
      // An expired target: the file's own URL leads to a new one.
      if target == segment.url { target = nil }
    } else if error == .notARange, !segments.isEmpty {
      allowed = 1
    } else if segments.isEmpty || facts == nil || Self.concernAll.contains(error.code) {
      conclude(.failed(error, retryAfter: retryAfter))
    } else if error.isRetryable || [403, 408, 429].contains(status) || status >= 500 {
      // The server has enough of us, or this connection brought too little to be worth another one.
      if segment.meter.received.value < context.smallestSplit { allowed = max(1, segments.count) }
      if let retryAfter { context.onHold(retryAfter) }
    } else {
      conclude(.failed(error, retryAfter: retryAfter))
    }
  }

  /// Trouble that no other connection can mend.
  private static let concernAll: Set<ErrorCode> = [
    .resourceChanged, .rangeInvalid, .encodingUnsupported, .resourceTimeout,
  ]

  private func conclude(_ end: FetchEnd) {
    if self.end == nil { self.end = end }
    releaseWaiter()
  }

  // MARK: Speed

  private func observeSpeeds() {
    let now = MonotonicInstant.now
    for number in segments.keys {
      segments[number]?.observe(now)
      guard let segment = segments[number], let id = segment.layoutID else { continue }
      layout?.advance(id, to: segment.position, bytesPerSecond: segment.bytesPerSecond)
    }
  }

  private var medianSpeed: Double {
    let speeds = segments.values.map(\.bytesPerSecond).filter { $0 > 1 }.sorted()
    return speeds.isEmpty ? 0 : speeds[speeds.count / 2]
  }

  /// A connection below a third of the median for ten seconds is opened anew.
  private func reviveStragglers() {
    observeSpeeds()
    guard segments.count > 1, context.rateLimits.isEmpty else { return }
    let limit = medianSpeed / 3
    let now = MonotonicInstant.now
    for number in segments.keys where segments[number]?.isStraggling(below: limit, now) == true {
      segments[number]?.cancel.cancel()
    }
  }

  /// Runs a body that is called on the transfer thread as part of this actor.
  private nonisolated func assumingIsolation(
    _ body: @Sendable (isolated SegmentedFetch) throws(DLSyncError) -> Void
  ) throws(DLSyncError) {
    let result = assumeIsolated { fetch -> Result<Void, DLSyncError> in
      do throws(DLSyncError) { return .success(try body(fetch)) } catch { return .failure(error) }
    }
    try result.get()
  }
}

extension SegmentLayout.Assignment {
  fileprivate var range: ByteRange {
    switch self {
    case .hole(let range), .split(_, let range): range
    }
  }
}

extension ResumePoint {
  /// What is missing first; open at its end where nothing behind it is there.
  fileprivate var firstHole: (lower: Int64, upper: Int64?) {
    let lower = frontier
    return (lower, present.first { $0.lower > lower }?.lower)
  }
}

extension DLSyncError {
  /// An additional connection was answered with the whole resource: that connection just ends. The only one has to begin
  /// anew.
  fileprivate static let notARange = DLSyncError(
    .resourceChanged, "the server answered a range with the whole resource")
}
