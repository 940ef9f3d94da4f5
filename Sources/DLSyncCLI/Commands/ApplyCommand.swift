import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// `dlsync apply`: the runs of its manifests, one after another, shown while they go.
enum ApplyCommand {
  static let guide = CommandGuide(
    arguments: .some("MANIFEST"), summary: "make the files be as the manifest says",
    example: "dlsync apply manifest.yaml --only 'bin/*' --jobs 8",
    explanation: [
      "Plans, then fetches what is missing or changed. A run that was stopped goes on where it was. Files that"
        + " dlsync does not own are never overwritten unless the manifest says so.",
      "Exit status: 0 all is as the manifest says, 1 a file failed, 2 usage or manifest, 3 conflicts, 4 state;"
        + " 129, 130, 143 ended by a signal, resumable.",
    ])

  static func run(_ context: CommandContext) async -> Int32 { await LoadedManifests.use(context, apply) }

  private static func apply(
    _ manifests: [Manifest], _ workspace: Workspace, _ context: CommandContext
  ) async throws(DLSyncError) -> Int32 {
    var options = context.settings.applyOptions
    // A file that is a pipe may keep us waiting; nothing is under way yet that a signal would have to spare.
    options.planning.netrc = try context.netrc(workspace)
    let stop = StopRequest()
    context.signals.begin(stop)
    defer { context.signals.end() }
    let command = CompletionHook.command(context.settings, context.environment)
    options.runsInForeground = context.settings.runsInForeground || workspace.prefersForeground
    options.onComplete = command.map(CompletionHook.fromAnywhere)
    // Last: what it opens is closed below, and by nobody who throws.
    let envelope = DocumentEnvelope(context, count: manifests.count)
    var runs: [RunRecord] = []
    let namesakes = Namesakes(manifests)
    for manifest in manifests {
      let run: RunRecord
      if let signal = stop.signal {
        run = RunRecord(unbegun: manifest, signal: signal)
      } else {
        options.planning.alsoWanted = namesakes.places(with: manifest)
        let begun = MonotonicInstant.now
        run = await perform(manifest, workspace, options, stop, context)
        options.count(run.report, time: .nanoseconds(MonotonicInstant.now.nanoseconds - begun.nanoseconds))
        Notices(environment: context.environment) { context.error.write(TerminalText.escaped($0) + "\n") }
          .end(manifest.notify, run.report)
      }
      if manifests.count > 1 { show(run.report, of: manifest, isOneOfMany: true, envelope, context) }
      runs.append(run)
    }
    var status = ExitStatus.worst(runs.map(\.report.exitStatus))
    if let signal = stop.signal { status = 128 + signal }
    // Before the last document is written, which has the exit status.
    status = ReportWriter(context).write(runs, exitStatus: status, stop)
    if manifests.count == 1, let run = runs.first {
      show(run.report, of: manifests[0], isOneOfMany: false, envelope, context, exitStatus: status)
    }
    let sum = runs.reduce(Report.Summary()) { $0 + $1.report.summary }
    envelope.close(exitStatus: status) { ReportDocument.write(sum, to: $0) }
    context.output.flush()
    if let command, !runs.isEmpty, runs.allSatisfy(\.report.isTerminal) {
      if stop.signal == nil { await complete(command, runs, sum, status, stop, context) }
      // A signal counts as long as anything goes on.
      if let signal = stop.signal { status = 128 + signal }
    }
    return status
  }

  /// The user's own command, once for all manifests of the command line.
  private static func complete(
    _ command: String, _ runs: [RunRecord], _ sum: Report.Summary, _ status: Int32, _ stop: StopRequest,
    _ context: CommandContext
  ) async {
    let hook = CompletionHook(
      command: command, environment: context.environment, executor: context.executor, stop: stop)
    let outcome = await hook.run(sum, exitStatus: status) { json in
      guard runs.count > 1 else {
        return ReportDocument(report: runs[0].report, manifest: runs[0].manifest, exitStatus: status).write(to: json)
      }
      json.object {
        json.field("formatVersion", 1)
        json.field("command", CommandWord.apply.rawValue)
        json.field("manifests", runs) { ReportDocument(report: $0.report, manifest: $0.manifest).write(to: json) }
        json.field("summary") { ReportDocument.write(sum, to: json) }
        json.field("exitStatus", status)
      }
    }
    if let trouble = outcome.trouble { context.warn(trouble) }
  }

  /// One run. Its events are shown on this thread while it goes on elsewhere.
  static func perform(
    _ manifest: Manifest, _ workspace: Workspace, _ options: ApplyOptions, _ stop: StopRequest,
    _ context: CommandContext
  ) async -> RunRecord {
    let started = Timestamp.now
    let needsHistory = ReportWriter(context).needsHistory
    let (report, history) = await ShownRun.perform(context, stop) { mailbox in
      let recorder = needsHistory ? RunRecorder(before: mailbox) : nil
      let report = await workspace.apply(manifest, options, stop: stop, observer: recorder ?? mailbox)
      return (report, recorder?.history ?? RunHistory())
    }
    return RunRecord(
      report: report, manifest: manifest.source, scope: manifest.scope, started: started, history: history)
  }

  private static func show(
    _ report: Report, of manifest: Manifest, isOneOfMany: Bool, _ envelope: DocumentEnvelope,
    _ context: CommandContext, exitStatus: Int32? = nil
  ) {
    if let error = report.end?.error { context.report(error) }
    if let plan = report.plan, !context.settings.isQuiet { SelectionNotice.warn(about: plan, context) }
    let document = ReportDocument(
      report: report, manifest: manifest.source, exitStatus: exitStatus ?? report.exitStatus)
    switch context.settings.format {
    case .text: ReportText(context, isOneOfMany: isOneOfMany).write(report, context)
    case .json: envelope.add { document.write(to: $0) }
    case .ndjson: EventLines(context.json).write(document)
    }
    context.output.flush()
  }
}
