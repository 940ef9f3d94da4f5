internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// Brings the missing bytes of one file with as many connections as queue and server allow.
///
/// The first request's response is the first segment: nothing is probed. When it shows that ranges are answered and has a
/// strong validator, further connections split what is left; one that runs dry takes a part of the rest that would take
/// longest. A server that refuses more connections gets fewer. Mirrors may take a share. Whatever is not provably the same
/// resource ends the attempt.
actor SegmentedFetch {
  nonisolated let executor: ThreadExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  enum Signal: Sendable {
    /// The first response was judged good and its pace looked at, or there will be none.
    case responded
    case ended(Int, TransferOutcome)
    case tick
  }

  let context: FetchContext
  /// What the first request of this attempt resumes from; nil asks for the whole.
  let resume: ResumePoint?
  var layout: SegmentLayout?
  var segments: [Int: RunningSegment] = [:]
  /// Who is asked.
  var sources: SegmentSources
  /// What mirrors brought. A declared checksum may show that some of it is wrong, whatever the validators say.
  private(set) var contributions: [Contribution] = []
  /// Mirrors that were caught serving something else, and how.
  var caught: [(url: SourceURL, error: DLSyncError)] = []
  var lastSegment = 0
  /// What the first good response told.
  var facts: ResponseFacts?
  /// The first final response, good or not.
  private(set) var firstResponse: ResponseFacts?
  /// The shortest time from a request to its response, in seconds; from one for a range, once there was one.
  var startup = Double.infinity
  var hasRangeStartup = false
  private var end: FetchEnd?
  var usualSpeed = 0.0
  /// Whether a connection has brought all that it was to bring.
  private(set) var hasServed = false
  var silence = FileSilence(from: .now)
  /// How often a connection was opened anew that had brought nothing.
  var vainRevivals = 0
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
    sources = SegmentSources(
      context.source, mirrors: context.mirrors, limit: context.connections,
      provesWhole: context.provesWhole)
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
          endSilence()
          group.addTask(executorPreference: executor) { await self.tick() }
        }
        if end == nil { widen(&group) } else { stopAll() }
      }
      releaseWaiter()
      group.cancelAll()
    }
    return end
      ?? .failed(
        DLSyncError(
          .connectionLost, "no connection was left for \"\(context.source.url.shown)\""),
        retryAfter: nil)
  }

  private func stopAll() {
    for segment in segments.values { segment.cancel.cancel() }
  }

  // MARK: Signals

  private func waitForResponse() async -> Signal {
    await withCheckedContinuation { continuation in
      if facts == nil, end == nil { responseWaiter = continuation } else { continuation.resume() }
    }
    // What comes so fast that it is there before help would be needs none: help takes about as long as the first response
    // took, so half of that tells.
    if startup.isFinite, end == nil {
      let pause = min(startup / 2, Self.longestLook)
      await executor.sleep(until: MonotonicInstant.now.advanced(by: Int64(pause * 1e9)))
    }
    isLookedAt = true
    return .responded
  }

  func releaseWaiter() {
    responseWaiter?.resume()
    responseWaiter = nil
  }

  private func tick() async -> Signal {
    await executor.sleep(until: MonotonicInstant.now.advanced(by: 1_000_000_000))
    return .tick
  }

  // MARK: Work for connections

  /// Gives every connection that may be open something to do.
  private func widen(_ group: inout TaskGroup<Signal>) {
    guard let facts, let total = layout?.total, isLookedAt || segments.isEmpty else { return }
    // Without a validator only a declared checksum can prove what is joined; whoever resumes so knows that there is one.
    let isProvable = facts.validator != nil || resume.map { $0.validator == nil } == true
    guard facts.acceptsRanges, isProvable else { return }
    observeSpeeds()
    let startup = startup.isFinite ? startup : 0
    shareFirst(startup)
    while segments.count < room, let source = sources.next(running: running),
      let assignment = layout?.nextAssignment(
        expectedSpeed: expectedSpeed, startup: startup, free: room - segments.count)
    {
      guard let id = layout?.begin(assignment) else { return }
      if case .split(let victim, let range) = assignment {
        segments.values.first { $0.layoutID == victim }?.meter.end.set(range.lower)
      }
      let range = assignment.range
      let isWhole = range.lower == 0 && range.upper == total && source == 0
      let url = sources[source].url
      let request =
        isWhole
        ? nil
        : RangeRequest(
          lower: range.lower, upper: range.upper, validator: sources[source].validator, total: total,
          codings: ContentCodings(facts.headers))
      start(&group, from: source, range: request, lower: range.lower, layoutID: id) {
        (fetch, response) throws(DLSyncError) in
        if response.offset != range.lower || response.statusCode == 200 && !isWhole {
          throw .notARange
        }
        try fetch.sources.accept(response, from: source, asked: url)
        if fetch.sources.isUnproven(source) { fetch.context.onJoin() }
      }
    }
    if segments.count >= room { extendSegments() }
  }

  /// The first connection asked for all that is missing; it keeps a piece when others come.
  private func shareFirst(_ startup: Double) {
    guard segments.count == 1, room > 1, let segment = segments.values.first,
      let id = segment.layoutID,
      let end = layout?.share(id, among: room - 1, expectedSpeed: expectedSpeed, startup: startup)
    else { return }
    segment.meter.end.set(end)
  }

  /// How many connections each source has.
  var running: [SegmentSources.Index: Int] {
    segments.values.reduce(into: [:]) { $0[$1.source, default: 0] += 1 }
  }

  /// Connections that may be open.
  var room: Int { max(1, sources.room(running: running)) }

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
    if segment.position > segment.lower, segment.source > 0 {
      contributions.append(
        Contribution(
          url: context.mirrors[segment.source - 1].url,
          range: ByteRange(segment.lower, segment.position)))
    }
    switch outcome.end {
    case .completed(let length):
      hasServed = hasServed || segment.position > segment.lower
      if layout == nil { conclude(.complete(length: length)) }
    case .cancelled where context.cancel.isCancelled: conclude(.cancelled)
    case .cancelled:
      // Reopened, or not needed any more. There are others than a mirror that is slow.
      if segment.source > 0 {
        sources.lower(segment.source, to: running[segment.source, default: 0])
      }
    case .unchanged: conclude(.unchanged)
    case .failed(let error): consider(error, of: segment, retryAfter: outcome.retryAfter)
    }
    if let layout, layout.isComplete, segments.isEmpty { conclude(.complete(length: layout.total)) }
  }

  func conclude(_ end: FetchEnd) {
    if self.end == nil { self.end = end }
    releaseWaiter()
  }
}

extension SegmentLayout.Assignment {
  fileprivate var range: ByteRange {
    switch self {
    case .hole(let range), .split(_, let range): range
    }
  }
}
