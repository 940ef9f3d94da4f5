internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// One request for each segment. The first one's response tells what there is to fetch.
extension SegmentedFetch {
  func startFirst(_ group: inout TaskGroup<Signal>) {
    let hole = resume.flatMap { $0.asksWhole ? nil : $0.firstHole }
    let range = hole.map { hole in
      RangeRequest(
        lower: hole.lower, upper: hole.upper, validator: resume?.validator, total: resume?.total,
        codings: resume?.codings ?? ContentCodings())
    }
    start(&group, from: 0, range: range, lower: hole?.lower ?? 0, layoutID: nil) {
      (fetch, facts) throws(DLSyncError) in
      try fetch.accept(first: facts)
    }
  }

  /// The first response is good: the layout follows from it, or the part file begins anew.
  private func accept(first facts: ResponseFacts) throws(DLSyncError) {
    self.facts = facts
    sources.begin(facts)
    var present = resume?.present ?? []
    if let resume, resume.asksWhole || facts.statusCode == 200 {
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

  func start(
    _ group: inout TaskGroup<Signal>, from source: SegmentSources.Index, range: RangeRequest?,
    lower: Int64,
    layoutID: SegmentLayout.SegmentID?,
    onResponse:
      @escaping @Sendable (isolated SegmentedFetch, ResponseFacts) throws(DLSyncError) -> Void
  ) {
    lastSegment += 1
    let number = lastSegment
    let segment = RunningSegment(
      meter: TransferMeter(file: context.progress), cancel: CancelToken(parent: context.cancel),
      lower: lower,
      upper: range?.upper ?? .max, layoutID: layoutID, source: source, url: sources[source].url,
      begun: .now)
    if let layoutID, let end = layout?.end(of: layoutID) { segment.meter.end.set(end) }
    segments[number] = segment
    let request = context.request(
      segment, from: sources[source].source, range: range, isFirst: facts == nil && number == 1
    ) {
      [weak self] (facts) throws(DLSyncError) in
      try self?.assumingIsolation { (fetch) throws(DLSyncError) in
        let now = MonotonicInstant.now
        fetch.noteStartup(now.seconds(since: segment.begun), ofRange: range != nil)
        fetch.segments[number]?.responded = now
        fetch.silence.noteResponse()
        try onResponse(fetch, facts)
      }
    }
    let transport = context.transport
    group.addTask(executorPreference: executor) { .ended(number, await transport.fetch(request)) }
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

extension ResumePoint {
  /// What is missing first; open at its end where nothing behind it is there.
  fileprivate var firstHole: (lower: Int64, upper: Int64?) {
    let lower = frontier
    return (lower, present.first { $0.lower > lower }?.lower)
  }
}
