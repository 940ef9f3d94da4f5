internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// Asks the servers of stale files, for a plan that is to show what has really changed. Nothing is fetched: an answer that
/// begins to send the file is broken off. Nothing is recorded.
struct RefreshInquiry {
  /// Files that are asked about at once.
  private static let width = 16

  let manifest: Manifest
  let environment: [String: String]
  let netrc: Netrc?

  private enum Answer {
    case unchanged
    /// Another version, or a server that cannot tell.
    case stale
    case failed(DLSyncError)
  }

  /// The plan with what the servers say: a file that is still the same is reused, one that is not stays stale, and so does
  /// one whose server could not be asked, with a warning.
  func ask(about plan: Plan, responses: [TaskID: ResponseRecord]) async -> Plan {
    let stale = plan.files.indices.filter { plan.files[$0].reason == .stale && !plan.files[$0].isHeld }
    guard !stale.isEmpty else { return plan }
    let transport = CurlTransport()
    let queues = Dictionary(
      uniqueKeysWithValues: manifest.queues.map {
        ($0.name, TransferSettings($0.configuration, userAgent: ProductVersion.userAgent, environment: environment))
      })
    var files = plan.files
    var warnings = plan.warnings
    await withTaskGroup(of: (Int, Answer).self) { group in
      var upcoming = stale.makeIterator()
      func askNext() {
        guard let index = upcoming.next() else { return }
        let entry = plan.files[index].entry
        guard let settings = queues[entry.queue] else { return }
        let condition = responses[entry.id].flatMap { RequestCondition($0.headers) }
        group.addTask { (index, await ask(about: entry, condition, settings, transport)) }
      }
      for _ in 0..<Self.width { askNext() }
      for await (index, answer) in group {
        switch answer {
        case .unchanged: files[index] = plan.files[index].unchanged
        case .stale: break
        case .failed(let error):
          warnings.append("could not ask whether \"\(plan.files[index].entry.destination)\" is stale: \(error.message)")
        }
        askNext()
      }
    }
    transport.stop()
    return Plan(
      scope: plan.scope, source: plan.source, queues: plan.queues, files: files, orphans: plan.orphans,
      warnings: warnings)
  }

  private func ask(
    about entry: FileEntry, _ condition: RequestCondition?, _ settings: TransferSettings,
    _ transport: CurlTransport
  ) async -> Answer {
    // Without anything to ask by, only the whole file would tell.
    guard let condition else { return .stale }
    let outcome = await transport.fetch(
      TransferRequest(
        url: entry.url, headers: entry.headers(to: entry.url, netrc),
        headerOrigin: entry.url.origin, range: nil,
        condition: condition, declaredSize: nil, keptCodings: .all, settings: settings,
        rateLimits: [],
        deadline: MonotonicInstant.now.advanced(by: settings.timeouts.resource.inNanoseconds),
        meter: TransferMeter(),
        cancel: CancelToken(), sink: MemorySink(limit: 0),
        onResponse: { (_) throws(DLSyncError) in throw DLSyncError(.canceled, "the answer was all that was wanted") }))
    switch outcome.end {
    case .unchanged: return .unchanged
    case .completed, .cancelled: return .stale
    case .failed(let error): return error.code == .canceled ? .stale : .failed(error)
    }
  }
}
