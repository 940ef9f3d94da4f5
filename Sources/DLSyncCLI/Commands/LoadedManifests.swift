import DLSyncKit
import DLSyncModel

/// The manifests of a command line, all of them good: one that is wrong, and nothing is done.
enum LoadedManifests {
  /// "Usage, or the manifest is wrong; nothing was done", whatever kept it from being read.
  static let status: Int32 = 2

  /// Goes on with the manifests of the command line, or says why it cannot. Answers the exit status.
  static func use(
    _ context: CommandContext,
    _ body: ([Manifest], Workspace, CommandContext) async throws(DLSyncError) -> Int32
  ) async -> Int32 {
    do throws(DLSyncError) {
      let workspace = try context.workspace()
      switch load(context, workspace) {
      case .failure(let refusal): return refusal.status
      case .success(let manifests): return try await body(manifests, workspace, context)
      }
    } catch {
      let failures = context.arguments.map { FailureDocument(command: context.command, manifest: $0, error: error) }
      ReportWriter(context).write(
        refused: failures, as: FailureDocument(command: context.command, error: error))
      return context.fail(error)
    }
  }

  /// Loads every manifest, or reports all that is wrong with any of them and returns the exit status.
  /// `paths` are the command's arguments, but for those that are something else.
  static func load(
    _ context: CommandContext, _ workspace: Workspace, paths: [String]? = nil
  ) -> Result<[Manifest], Refusal> {
    var manifests: [Manifest] = []
    var failures: [FailureDocument] = []
    for path in paths ?? context.arguments {
      do {
        manifests.append(try workspace.load(path, variables: context.settings.variables))
      } catch {
        failures.append(refuse(error, path, context))
      }
    }
    if failures.isEmpty, let error = unknownQueue(context, manifests) {
      return .failure(Refusal(status: context.fail(error.asError)))
    }
    guard !failures.isEmpty else {
      VariableNotice.warn(about: manifests, context)
      return .success(manifests)
    }
    write(failures, context)
    return .failure(Refusal(status: status))
  }

  /// Says on standard error what is wrong with one manifest.
  static func refuse(_ failure: ManifestLoadFailure, _ path: String, _ context: CommandContext) -> FailureDocument {
    switch failure {
    case .unreadable(let error):
      context.report(error)
      return FailureDocument(command: context.command, manifest: path, error: error, exitStatus: status)
    case .invalid(let error):
      for diagnostic in error.diagnostics {
        context.error.write(ErrorText.render(diagnostic))
      }
      context.error.flush()
      return FailureDocument(
        command: context.command, manifest: path, error: error.summary, diagnostics: error.diagnostics,
        exitStatus: status)
    }
  }

  /// An exit status that has been explained already.
  struct Refusal: Error { let status: Int32 }

  private static func write(_ failures: [FailureDocument], _ context: CommandContext) {
    var failure = failures[0]
    if failures.count > 1 {
      failure = FailureDocument(
        command: context.command, error: failure.error, diagnostics: failures.flatMap(\.diagnostics),
        exitStatus: status)
    }
    switch context.settings.format {
    case .text: break
    case .ndjson: for failure in failures { failure.write(to: context.json, .ndjson) }
    case .json: failure.write(to: context.json, .json)
    }
    ReportWriter(context).write(refused: failures, as: failure)
  }

  private static func unknownQueue(_ context: CommandContext, _ manifests: [Manifest]) -> UsageError? {
    let known = manifests.flatMap { $0.queues.map(\.name.text) }
    guard !manifests.isEmpty, let name = context.settings.queues.first(where: { !known.contains($0) }) else {
      return nil
    }
    return .unknownQueue(name, nearest: NearestName.of(name, among: known))
  }
}

/// The exit status of several manifests: a signal's own, then 2 and 4 over 1 over 3.
enum ExitStatus {
  static func worst(_ statuses: [Int32]) -> Int32 {
    func rank(_ status: Int32) -> Int {
      switch status {
      case 0: 0
      case 10: 1
      case 3: 2
      case 1: 3
      case 4: 4
      case 2: 5
      default: 6
      }
    }
    return statuses.max { rank($0) < rank($1) } ?? 0
  }
}
