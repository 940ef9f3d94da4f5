import DLSyncKit
import DLSyncModel

/// `dlsync verify`: every file that should be there, hashed and compared.
enum VerifyCommand {
  static let guide = CommandGuide(
    arguments: .some("MANIFEST"), summary: "hash every file that should be there",
    example: "dlsync verify manifest.yaml",
    explanation: [
      "Reads every file of the manifest that should be there and compares its digest with the declared checksum or"
        + " the recorded fingerprint. Changes nothing.",
      "With --repair, files that are missing are fetched, and files that dlsync published and that were changed since are"
        + " fetched again and replaced, once the new bytes are proven.",
      "Exit status: 0 every file is intact or was repaired, 1 any is missing, differs or cannot be vouched for.",
    ])

  static func run(_ context: CommandContext) async -> Int32 { await LoadedManifests.use(context, verify) }

  private static func verify(
    _ manifests: [Manifest], _ workspace: Workspace, _ context: CommandContext
  ) async throws(DLSyncError) -> Int32 {
    var options = context.settings.applyOptions
    options.planning.netrc = try context.netrc(workspace)
    let stop = StopRequest()
    let envelope = DocumentEnvelope(context, count: manifests.count)
    var statuses: [Int32] = []
    var sum = Verification.Summary()
    for manifest in manifests where stop.signal == nil {
      do {
        var verification = Verification(try await workspace.verify(manifest, options.planning))
        let isOneOfMany = manifests.count > 1
        if context.settings.format == .text {
          VerificationText(context, isOneOfMany: isOneOfMany).write(verification, manifest, to: context.people)
        }
        // What cannot be fetched again is planned, too: the plan knows why.
        if context.settings.repairs, verification.files.contains(where: { $0.finding != .intact }) {
          verification.repair = await repair(
            verification, manifest, options, workspace, stop, isOneOfMany, context)
        }
        let signal = isOneOfMany ? nil : stop.signal
        envelope.add {
          VerificationDocument(manifest: manifest, verification: verification, signal: signal).write(to: $0)
        }
        sum = sum + verification.summary
        statuses.append(verification.exitStatus)
      } catch {
        context.report(error)
        envelope.add { FailureDocument(command: .verify, manifest: manifest.source, error: error).write(to: $0) }
        statuses.append(error.code.exitStatus)
      }
    }
    let status = stop.signal.map { 128 + $0 } ?? ExitStatus.worst(statuses)
    envelope.close(exitStatus: status) { VerificationDocument.write(sum, to: $0) }
    return status
  }

  /// Fetches again what is missing or was changed, and says how that went.
  private static func repair(
    _ verification: Verification, _ manifest: Manifest, _ options: ApplyOptions, _ workspace: Workspace,
    _ stop: StopRequest, _ isOneOfMany: Bool, _ context: CommandContext
  ) async -> Report {
    var options = options
    options.repairing = verification.damaged
    context.output.flush()
    // Reading may be ended at once; what is fetched is left resumable.
    context.signals.begin(stop)
    defer { context.signals.end() }
    let report = await ApplyCommand.perform(manifest, workspace, options, stop, context).report
    if let error = report.end?.error { context.report(error) }
    if context.settings.format == .text { ReportText(context, isOneOfMany: isOneOfMany).write(report, context) }
    return report
  }
}
