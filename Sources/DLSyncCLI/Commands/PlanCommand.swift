import DLSyncKit
import DLSyncModel

/// `dlsync plan`, and `dlsync apply --dry-run`.
enum PlanCommand {
  static let guide = CommandGuide(
    arguments: .some("MANIFEST"), summary: "show what apply would do; change nothing",
    example: "dlsync plan manifest.yaml",
    explanation: [
      "Shows what apply would do with each file, and why. Changes nothing on disk, not even the state, and contacts"
        + " no server unless --refresh is given.",
      "Exit status: 0 whatever the plan says, 2 usage or manifest, 4 state. With --detailed-exitcode also 10 where"
        + " something is to be done and 3 where there are conflicts.",
      "With --explain, every value that counts for one file and where it comes from: a line of the manifest or of a list,"
        + " its defaults, the lock file, an option, the environment, or dlsync itself.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    await LoadedManifests.use(context) { manifests, workspace, context throws(DLSyncError) in
      guard let destination = context.settings.explains else { return try await plan(manifests, workspace, context) }
      return try await PlanExplanation(destination, workspace, context).run(manifests)
    }
  }

  private static func plan(
    _ manifests: [Manifest], _ workspace: Workspace, _ context: CommandContext
  ) async throws(DLSyncError) -> Int32 {
    var options = context.settings.planOptions
    options.netrc = try context.netrc(workspace)
    let envelope = DocumentEnvelope(context, count: manifests.count)
    var statuses: [Int32] = []
    var sum = PlanSum()
    var reports = DryRunReports(context)
    let namesakes = Namesakes(manifests)
    var claims = ComingClaims()
    for manifest in manifests {
      options.alsoWanted = namesakes.places(with: manifest)
      options.alsoClaimed = claims.against(manifest)
      do {
        let plan = try await workspace.plan(manifest, options)
        show(plan, isOneOfMany: manifests.count > 1, envelope, context)
        sum.add(plan.summary)
        if manifests.count > 1 { claims.add(plan) }
        let status = context.settings.detailedExitCode ? detailedStatus(plan, prunes: context.settings.prunes) : 0
        statuses.append(status)
        reports.add(plan, exitStatus: status)
      } catch {
        let failure = FailureDocument(command: .plan, manifest: manifest.source, error: error)
        context.report(error)
        envelope.add { failure.write(to: $0) }
        if context.settings.format == .ndjson { failure.write(to: context.json, .ndjson) }
        statuses.append(error.code.exitStatus)
        reports.add(failure)
      }
    }
    var status = ExitStatus.worst(statuses)
    status = reports.write(exitStatus: status) { sum.write(to: $0) }
    envelope.close(exitStatus: status) { sum.write(to: $0) }
    return status
  }

  private static func show(
    _ plan: Plan, isOneOfMany: Bool, _ envelope: DocumentEnvelope, _ context: CommandContext
  ) {
    let settings = context.settings
    if !settings.isQuiet {
      for warning in plan.warnings { context.warn(warning) }
      SelectionNotice.warn(about: plan, context)
    }
    switch settings.format {
    case .text:
      guard !settings.isQuiet || plan.summary.conflict > 0 else { return }
      PlanText(context, isOneOfMany: isOneOfMany).write(plan, to: context.people)
    case .json: envelope.add { PlanDocument(plan: plan, command: .plan).write(to: $0) }
    case .ndjson:
      // Like a run's, the last line is the report: of a plan it is the plan.
      for event in ["plan", "report"] {
        context.json.object {
          context.json.field("event", event)
          PlanDocument(plan: plan, command: .plan).writeMembers(to: context.json)
        }
        context.json.endLine()
      }
    }
  }

  /// 0 nothing to do, 10 something to do, 3 conflicts.
  private static func detailedStatus(_ plan: Plan, prunes: Bool) -> Int32 {
    if plan.summary.conflict > 0 { return 3 }
    if plan.summary.download > 0 || prunes && !plan.orphans.isEmpty { return 10 }
    return plan.files.contains { $0.isCopied || $0.changesMode } ? 10 : 0
  }
}

/// What manifests will have claimed once they are applied, which the ones behind them must leave alone.
private struct ComingClaims {
  private var claims: [BytewiseText: Scope] = [:]

  /// The claims of other names than a manifest's.
  func against(_ manifest: Manifest) -> [BytewiseText: Scope] { claims.filter { $0.value != manifest.scope } }

  mutating func add(_ plan: Plan) {
    // What is kept as it is, or cannot be, leaves no record.
    for file in plan.files where file.action != .conflict && file.reason != .kept {
      claims[BytewiseText(file.entry.destination.path)] = plan.scope
    }
  }
}

/// The numbers of several plans.
private struct PlanSum {
  private var total = 0
  private var download = 0
  private var reuse = 0
  private var conflict = 0
  private var held = 0
  private var downloadBytes = ByteCount.zero

  mutating func add(_ summary: PlanSummary) {
    total += summary.total
    download += summary.download
    reuse += summary.reuse
    conflict += summary.conflict
    held += summary.held
    let (sum, overflow) = downloadBytes.bytes.addingReportingOverflow(summary.downloadBytes.bytes)
    downloadBytes = ByteCount(overflow ? .max : sum)
  }

  func write(to json: JSONWriter) {
    json.field("total", total)
    json.field("download", download)
    json.field("reuse", reuse)
    json.field("conflict", conflict)
    json.field("held", held)
    json.field("downloadBytes", downloadBytes)
  }
}

/// Says when a selection selects nothing: most often a pattern with a mistake in it.
enum SelectionNotice {
  static func warn(about plan: Plan, _ context: CommandContext) {
    let (patterns, tags) = (context.settings.only, context.settings.tags)
    guard plan.files.isEmpty, !patterns.isEmpty || !tags.isEmpty, plan.warnings.isEmpty else { return }
    let options = [("matches --only", patterns), ("has --tag", tags)].filter { !$0.1.isEmpty }.map { words, values in
      "\(words) \(UsageError.list(values.map { "\"\(Redaction.url($0))\"" }, "or"))"
    }
    context.warn("no file of \"\(plan.source)\" \(options.joined(separator: " and "))")
  }
}

extension Settings {
  /// What the options say about planning.
  var planOptions: PlanOptions {
    var options = PlanOptions()
    options.queues = queues
    options.only = only
    options.shard = shard
    options.tags = tags
    options.requiresLock = requiresLock
    options.isOffline = isOffline
    options.onConflict = onConflict
    options.hashesEverything = hashesEverything
    options.refreshes = refreshes
    return options
  }

  /// What the options say about a run.
  var applyOptions: ApplyOptions {
    var options = ApplyOptions()
    options.planning = planOptions
    options.jobs = jobs
    options.rate = rate
    options.failFast = failFast
    options.prunes = prunes
    options.lockTimeout = lockTimeout ?? .zero
    options.maxDuration = maxDuration
    options.maxBytes = maxBytes
    options.waits = waits
    return options
  }
}
