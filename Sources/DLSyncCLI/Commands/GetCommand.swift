import DLSyncKit
import DLSyncModel

/// `dlsync get URL`: one file without a manifest.
enum GetCommand {
  static let guide = CommandGuide(
    arguments: .exactly(["URL"]), summary: "fetch one file without a manifest",
    example: "dlsync get https://example.org/a.tar.gz -o a.tar.gz",
    explanation: [
      "Fetches a file as apply does, and prints its path alone on standard output. Without -o it goes into the store"
        + " below the state folder. A file that is there already and unchanged is not fetched again.",
      "Exit status: 0 the file is there, 1 it could not be had, 2 usage, 3 something of yours is at its place, 4 state.",
    ])

  /// A second get of the same file waits for the first.
  private static let patience = Duration.seconds(86_400)

  static func run(_ context: CommandContext) async -> Int32 {
    let workspace: Workspace
    let manifest: Manifest
    var options = context.settings.applyOptions
    do throws(DLSyncError) {
      workspace = try context.workspace()
      options.planning.netrc = try context.netrc(workspace)
      manifest = try workspace.manifest(of: try file(context))
    } catch {
      return context.fail(error)
    }
    let stop = StopRequest()
    context.signals.begin(stop)
    defer { context.signals.end() }
    options.runsInForeground = true
    options.lockTimeout = context.settings.lockTimeout ?? patience
    let report = await ShownRun.perform(context, stop, showsEnds: false) { [options] mailbox in
      await workspace.apply(manifest, options, stop: stop, observer: mailbox)
    }
    let absence = absence(report)
    let status = absence?.code.exitStatus ?? report.exitStatus
    show(report, absence, status, manifest, context)
    return status
  }

  /// Why there is no file although nothing failed: somebody took it out of the run. Nil where there is one.
  private static func absence(_ report: Report) -> DLSyncError? {
    guard report.exitStatus == 0, let file = report.plan?.files.first else { return nil }
    let outcome = report.outcomes.first ?? nil
    let path = file.entry.destination.path
    switch FileResult(file, outcome) {
    case .held:
      return DLSyncError(
        .canceled, "\"\(path)\" is paused, so it was not fetched",
        hint: "`dlsync resume \"\(path)\"` releases it; the same dlsync get goes on then")
    case .canceled where outcome?.state != .removed:
      return DLSyncError(
        .canceled, "\"\(path)\" is canceled, so it was not fetched",
        hint: "`dlsync restart \"\(path)\"` releases it; the same dlsync get fetches it then")
    case .canceled, .pending:
      return DLSyncError(
        .canceled, "\"\(path)\" was taken out of the run, so it was not fetched", hint: "the same dlsync get fetches it"
      )
    case .failed, .conflict, .downloaded, .reused, .handedOver: return nil
    }
  }

  private static func file(_ context: CommandContext) throws(DLSyncError) -> SingleFile {
    let text = context.arguments[0]
    let url: SourceURL
    do throws(SourceURL.Problem) { url = try SourceURL(text) } catch {
      throw DLSyncError(.usage, words(error, text), hint: hint(error))
    }
    var file = SingleFile(url)
    file.destination = context.settings.output
    file.checksums = context.settings.checksums
    file.headers = context.settings.headers
    return file
  }

  /// Quotes the URL only where it can hold no password.
  private static func words(_ problem: SourceURL.Problem, _ text: String) -> String {
    switch problem {
    case .scheme(let scheme): "the scheme \"\(scheme)\" is not http or https"
    case .userInformation:
      "the URL holds user information, which is never sent"
    case .fragment: "the URL has a fragment, which is never sent"
    default: "\(text.contains { "@?#".contains($0) } ? "the argument" : "\"\(text)\"") is no http or https URL"
    }
  }

  private static func hint(_ problem: SourceURL.Problem) -> String {
    switch problem {
    case .userInformation: "leave it out of the URL, and give credentials with --header or --netrc"
    case .fragment: "leave \"#\" and what is behind it away"
    default: "give a whole URL, such as https://example.org/file.txt"
    }
  }

  /// The same error with a hint that needs no manifest.
  private static func worded(_ error: DLSyncError) -> DLSyncError {
    let isInTheWay = error.code == .destinationExists || error.code == .destinationModified
    guard isInTheWay else { return error }
    return DLSyncError(
      error.code, error.message, hint: "move it away, give another place with -o, or say --on-conflict replace",
      error.details)
  }

  private static func show(
    _ report: Report, _ absence: DLSyncError?, _ status: Int32, _ manifest: Manifest, _ context: CommandContext
  ) {
    let trouble = absence ?? report.end?.error ?? report.outcomes.first??.error ?? report.plan?.files.first?.error
    let error = trouble.map(worded)
    if let signal = report.end?.signal {
      context.say("stopped by \(SignalName.of(signal)); the same command goes on where it was")
    } else if let error {
      context.report(error)
    }
    let entry = manifest.files[0]
    let isThere = status == 0
    guard context.settings.format == .json else {
      if isThere { context.write(path: entry.destination.path) }
      return
    }
    let outcome = report.outcomes.first ?? nil
    let file = report.plan?.files.first
    context.json.object {
      context.json.field("formatVersion", 1)
      context.json.field("command", CommandWord.get.rawValue)
      context.json.field("url", entry.url.redacted)
      context.json.field("path", isThere ? entry.destination.path : nil)
      context.json.field("bytes", file?.bytes(after: outcome))
      context.json.field("fetchedBytes", report.summary.fetchedBytes)
      context.json.field("sha256", file?.fingerprint(after: outcome)?.hex)
      context.json.field("error", error)
      context.json.field("exitStatus", Int(status))
    }
    context.json.endLine()
  }
}
