internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// How one attempt at the bytes of a file ended.
enum FetchEnd: Sendable {
  /// Every byte is in the part file; the resource has this length.
  case complete(length: Int64)
  case failed(DLSyncError, retryAfter: Duration?)
  case cancelled
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
    /// The first response was judged good, or there will be none.
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
  private(set) var facts: ResponseFacts?
  /// Connections at once, as far as the server has refused none.
  private var allowed: Int
  /// Ranges ask where the first response came from, until that stops answering.
  private var asksEntryURL = false
  private var end: FetchEnd?
  /// Payload bytes that travelled.
  private(set) var received: Int64 = 0
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
      responseWaiter?.resume()
      responseWaiter = nil
      group.cancelAll()
    }
    return end
      ?? .failed(
        DLSyncError(.connectionLost, "no connection was left for \"\(context.url.redacted)\""), retryAfter: nil)
  }

  // MARK: The first request

  private func startFirst(_ group: inout TaskGroup<Signal>) {
    var range: RangeRequest?
    if let resume {
      let hole = resume.firstHole
      range = RangeRequest(lower: hole.lower, upper: hole.upper, validator: resume.validator, total: resume.total)
    }
    start(&group, range: range, lower: range?.lower ?? 0, layoutID: nil) { [weak self] (facts) throws(DLSyncError) in
      guard let self else { return }
      try self.assumingIsolation { (fetch) throws(DLSyncError) in try fetch.accept(first: facts) }
    }
  }

  /// The first response is good: the layout follows from it, or the part file begins anew.
  private func accept(first facts: ResponseFacts) throws(DLSyncError) {
    self.facts = facts
    var present: [ByteRange] = []
    if let resume, facts.offset > 0 || facts.offset == resume.firstHole.lower {
      present = resume.present
    } else if resume != nil {
      // The server sends the whole resource from its start; what is there counts for nothing.
      try context.part.restart()
      context.progress.set(0)
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
    responseWaiter?.resume()
    responseWaiter = nil
  }

  private func waitForResponse() async -> Signal {
    if facts == nil, end == nil { await withCheckedContinuation { responseWaiter = $0 } }
    return .responded
  }

  private func tick() async -> Signal {
    await executor.sleep(until: MonotonicInstant.now.advanced(by: 1_000_000_000))
    return .tick
  }

  // MARK: Requests

  private func start(
    _ group: inout TaskGroup<Signal>, range: RangeRequest?, lower: Int64, layoutID: SegmentLayout.SegmentID?,
    onResponse: @escaping @Sendable (ResponseFacts) throws(DLSyncError) -> Void
  ) {
    lastSegment += 1
    let number = lastSegment
    let segment = RunningSegment(
      meter: TransferMeter(file: context.progress), cancel: CancelToken(parent: context.cancel), lower: lower,
      layoutID: layoutID, url: asksEntryURL || facts == nil ? context.url : facts!.finalURL)
    if let layoutID, let end = layout?.end(of: layoutID) { segment.meter.end.set(end) }
    segments[number] = segment
    let request = context.request(segment, range: range, onResponse: onResponse)
    let transport = context.transport
    group.addTask(executorPreference: executor) { .ended(number, await transport.fetch(request)) }
  }

  /// Gives every connection that may be open something to do.
  private func widen(_ group: inout TaskGroup<Signal>) {
    guard let facts, layout != nil else { return }
    let mayRange = facts.acceptsRanges && facts.validator != nil
    guard mayRange || segments.isEmpty else { return }
    observeSpeeds()
    while segments.count < max(1, allowed), let assignment = layout!.nextAssignment(expectedSpeed: medianSpeed) {
      let id = layout!.begin(assignment)
      if case .split(let victim, let range) = assignment {
        segments.values.first { $0.layoutID == victim }?.meter.end.set(range.lower)
      }
      let range = assignment.range
      let isWhole = range.lower == 0 && range.upper == layout!.total
      let request =
        isWhole
        ? nil
        : RangeRequest(
          lower: range.lower, upper: range.upper, validator: facts.validator, total: layout!.total)
      start(&group, range: request, lower: range.lower, layoutID: id) { (response) throws(DLSyncError) in
        if response.offset != range.lower { throw .notARange }
      }
    }
  }

  // MARK: Ends

  private func finish(_ number: Int, _ outcome: TransferOutcome) {
    guard let segment = segments.removeValue(forKey: number) else { return }
    received += outcome.received
    if let id = segment.layoutID { layout?.finish(id, at: segment.position) }
    if facts == nil {
      responseWaiter?.resume()
      responseWaiter = nil
    }
    switch outcome.end {
    case .completed(let length):
      if layout == nil { conclude(.complete(length: length)) }
    case .cancelled where context.cancel.isCancelled: conclude(.cancelled)
    case .cancelled: break  // reopened, or not needed any more
    case .failed(let error): consider(error, of: segment, retryAfter: outcome.retryAfter)
    }
    if let layout, layout.isComplete, segments.isEmpty { conclude(.complete(length: layout.total)) }
  }

  /// A connection failed: that may concern it alone, or the whole attempt.
  private func consider(_ error: DLSyncError, of segment: RunningSegment, retryAfter: Duration?) {
    let status = error.details.statusCode ?? 0
    if segment.url != context.url, [403, 404, 410].contains(status), !asksEntryURL {
      asksEntryURL = true  // an expired target: the entry's own URL leads to a new one
    } else if segments.isEmpty || facts == nil {
      conclude(.failed(error, retryAfter: retryAfter))
    } else if error == .notARange || [403, 429, 503].contains(status) || segment.meter.received.value == 0 {
      switch error.code {
      case .resourceChanged, .rangeInvalid, .encodingUnsupported: conclude(.failed(error, retryAfter: nil))
      default: allowed = max(1, segments.count)  // the server has enough of us
      }
    } else if !error.isRetryable {
      conclude(.failed(error, retryAfter: nil))
    }
  }

  private func conclude(_ end: FetchEnd) {
    if self.end == nil { self.end = end }
  }

  private func stopAll() {
    for segment in segments.values { segment.cancel.cancel() }
  }

  // MARK: Speed

  private func observeSpeeds() {
    let now = MonotonicInstant.now
    for number in segments.keys {
      segments[number]!.observe(now)
      let segment = segments[number]!
      if let id = segment.layoutID {
        layout?.advance(id, to: segment.position, bytesPerSecond: segment.bytesPerSecond)
      }
    }
  }

  private var medianSpeed: Double {
    let speeds = segments.values.map(\.bytesPerSecond).filter { $0 > 0 }.sorted()
    return speeds.isEmpty ? 0 : speeds[speeds.count / 2]
  }

  /// A connection below a third of the median for ten seconds is opened anew.
  private func reviveStragglers() {
    observeSpeeds()
    guard segments.count > 1, context.rateLimits.isEmpty else { return }
    let limit = medianSpeed / 3
    let now = MonotonicInstant.now
    for number in segments.keys where segments[number]!.isStraggling(below: limit, now) {
      segments[number]!.cancel.cancel()
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
  /// An additional connection was answered with the whole resource: that connection just ends.
  fileprivate static let notARange = DLSyncError(.canceled, "the server answered a range with the whole resource")
}
