/// What a run did: the fold of its events. Text, JSON and tests see the same numbers because this one place counts.
public struct Report: Sendable {
  /// The plan that was carried out.
  public private(set) var plan: Plan?
  /// One slot for each file of the plan; nil where nothing happened beyond what the plan says (reused, held, in
  /// conflict), and until a file that had something to do is at its end.
  public private(set) var outcomes = Outcomes()
  /// Warnings that belong to no file.
  public private(set) var warnings: [String] = []
  /// Records that were pruned, in the order in which that was done.
  public private(set) var pruned: [PrunedFile] = []
  /// The run in numbers.
  public private(set) var summary = Summary()
  /// How the run ended; nil while it goes on.
  public private(set) var end: RunEnd?

  /// The run in numbers.
  public struct Summary: Hashable, Sendable {
    /// Files of the plan.
    public var total = 0
    /// Files whose bytes came in this run.
    public var downloaded = 0
    /// Files that were right already, or were copied on this machine.
    public var reused = 0
    /// Files that cannot be made so without a decision of the user.
    public var conflicts = 0
    /// Files that ended with an error.
    public var failed = 0
    /// Files held back by request.
    public var held = 0
    /// Files that the agent goes on with.
    public var handedOver = 0
    /// Records that were pruned.
    public var pruned = 0
    /// Sizes of the downloaded files.
    public var bytes = ByteCount.zero
    /// Payload that travelled, failed attempts included.
    public var fetchedBytes = ByteCount.zero
    /// Wall time of the execution.
    public var seconds = 0.0
    /// All zero.
    public init() {}
  }

  /// An empty report.
  public init() {}

  /// Takes one event into account.
  public mutating func apply(_ event: Event) {
    switch event {
    case .planned(let plan):
      self.plan = plan
      warnings += plan.warnings
      take(plan.files)
    case .joined(let files):
      plan?.append(files)
      take(files)
    case .ended(let outcome):
      guard outcomes.indices.contains(outcome.file), outcomes[outcome.file] == nil else { return }
      outcomes.set(outcome)
      if let planned = plan?.files[outcome.file] { count(outcome, planned) }
    case .warning(nil, let text): warnings.append(text)
    case .pruned(let files):
      pruned += files
      summary.pruned += files.count
    case .finished(let end):
      self.end = end
      summary.seconds = end.seconds
    case .stateChanged, .resumed, .progress, .warning: break
    }
  }

  private mutating func take(_ more: [FilePlan]) {
    outcomes.grow(by: more.count)
    summary.total += more.count
    for file in more {
      if file.isHeld { summary.held += 1 } else if file.action == .conflict { summary.conflicts += 1 }
      if file.staysAsItIs { summary.reused += 1 }
    }
  }

  /// Conflicts, held files and files that stay as they are were counted with it, whether or not they are reported at their end.
  private mutating func count(_ outcome: FileOutcome, _ planned: FilePlan) {
    summary.fetchedBytes = summary.fetchedBytes.adding(outcome.fetchedBytes)
    // A command released it.
    if planned.isHeld { summary.held -= 1 }
    // Counted with the plan, and told of only because something went wrong after all.
    if planned.staysAsItIs { summary.reused -= 1 }
    if outcome.isHandedOver { summary.handedOver += 1 }
    switch outcome.state {
    case .completed where hasCome(outcome, planned):
      summary.downloaded += 1
      summary.bytes = summary.bytes.adding(outcome.bytes ?? .zero)
    case .completed: summary.reused += 1
    case .failed where planned.action == .conflict: break
    case .failed where outcome.error?.code.exitStatus == 3: summary.conflicts += 1
    case .failed: summary.failed += 1
    case .suspended, .canceled, .removed: summary.held += 1
    default: break
    }
  }

  /// Whether the file came in this run: a stale one that the server still has as it is did not, and one that could not be
  /// copied after all did.
  private func hasCome(_ outcome: FileOutcome, _ planned: FilePlan) -> Bool {
    if outcome.fetchedBytes.bytes > 0 { return true }
    return planned.action == .download && planned.reason != .stale
  }

  /// The exit status that the run deserves (spec: failed before conflict; a signal's own; the error of the run itself). Who
  /// waits for files that nobody fetches has not got them.
  public var exitStatus: Int32 {
    if let signal = end?.signal { return 128 + signal }
    if let error = end?.error { return error.code.exitStatus }
    if summary.failed > 0 || end?.isAbandoned == true { return 1 }
    return summary.conflicts > 0 ? 3 : 0
  }
}

extension FilePlan {
  /// Whether nothing has to be done for the file's bytes.
  package var staysAsItIs: Bool { action == .reuse && !isCopied && !isHeld }
}
