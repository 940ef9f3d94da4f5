import DLSyncKit
import DLSyncModel

/// `dlsync lock MANIFEST`: which bytes each file must have from now on.
enum LockCommand {
  static let guide = CommandGuide(
    arguments: .first("MANIFEST", rest: "SELECTOR"), summary: "pin checksums and sizes in a lock file",
    example: "dlsync lock manifest.yaml",
    explanation: [
      "Writes manifest.lock beside the manifest: URL, size, SHA-256 and validators of every file. From then on plan and"
        + " apply hold each file to it. Lines that fit are kept; of the other files the bytes are fetched, hashed and"
        + " dropped, unless they are here already.",
      "With --update the server is asked again, for all files or for those that a SELECTOR names: a destination, a URL,"
        + " an id, or a pattern. Nothing is written where a file cannot be had (exit status 1).",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    let settings = context.settings
    let path = context.arguments[0]
    if !settings.updatesLock, context.arguments.count > 1 {
      return context.fail(
        DLSyncError(
          .usage, "\"\(context.arguments[1])\" cannot be locked alone",
          hint: "without --update every file that has no line gets one; with it, \"\(context.arguments[1])\" is renewed"
        ))
    }
    do {
      let workspace = try context.workspace()
      let (manifest, lock) = try workspace.loadWithLock(path, variables: settings.variables)
      VariableNotice.warn(about: [manifest], context)
      let netrc = try context.netrc(workspace)
      return await lockFiles(of: manifest, lock, netrc, workspace, context)
    } catch let failure as ManifestLoadFailure {
      LoadedManifests.refuse(failure, path, context).writeIfAsked(context)
      return LoadedManifests.status
    } catch let error as DLSyncError {
      return context.fail(error)
    } catch {
      return context.fail(DLSyncError(.internal, "\(error)"))
    }
  }

  private static func lockFiles(
    of manifest: Manifest, _ old: ManifestLock?, _ netrc: Netrc?, _ workspace: Workspace,
    _ context: CommandContext
  ) async -> Int32 {
    let stop = StopRequest()
    context.signals.begin(stop)
    defer { context.signals.end() }
    var options = LockOptions()
    options.renews = context.settings.updatesLock
    options.selectors = Array(context.arguments.dropFirst())
    options.jobs = context.settings.jobs
    options.rate = context.settings.rate
    options.netrc = netrc
    let result = await ShownRun.perform(context, stop) {
      [options] mailbox -> Result<LockReport, DLSyncError> in
      do throws(DLSyncError) {
        return .success(try await workspace.lock(manifest, old, options, stop: stop, observer: mailbox))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .failure(let error): return context.fail(error, manifest: manifest.source)
    case .success(let report):
      show(report, of: manifest, old != nil, context)
      return report.exitStatus
    }
  }

  private static func show(
    _ report: LockReport, of manifest: Manifest, _ wasLocked: Bool, _ context: CommandContext
  ) {
    for file in report.files {
      guard let error = file.error else { continue }
      let name = "\"\(file.entry.destination.relativePath)\""
      context.report(DLSyncError(error.code, "could not lock \(name): \(error.message)", hint: error.hint))
    }
    if context.settings.format == .json {
      write(report, of: manifest, to: context.json)
      context.json.endLine()
    } else if !context.settings.isQuiet {
      context.output.write(sentence(report, wasLocked) + "\n")
    }
  }

  /// `Locked: 2 added, 1 renewed, 97 kept in manifest.lock.`
  private static func sentence(_ report: LockReport, _ wasLocked: Bool) -> String {
    func count(_ change: LockReport.Change) -> Int { report.files.count { $0.change == change } }
    let path = TerminalText.escaped(report.path)
    guard report.exitStatus == 0 else {
      let files = Wording.count(report.files.count, "file", "files")
      let why =
        report.signal.map { "stopped by \(SignalName.of($0))" } ?? "\(count(.failed)) of \(files) could not be had"
      return "Not locked: \(why); \(path) \(wasLocked ? "stays as it was" : "is not written")."
    }
    var parts = ["\(count(.added)) added", "\(count(.renewed)) renewed", "\(count(.kept)) kept"]
    if report.dropped > 0 { parts.append("\(report.dropped) dropped") }
    return "Locked: \(parts.joined(separator: ", ")) in \(path)."
  }

  private static func write(_ report: LockReport, of manifest: Manifest, to json: JSONWriter) {
    json.object {
      json.field("formatVersion", 1)
      json.field("command", CommandWord.lock.rawValue)
      json.field("scope", manifest.scope.text)
      json.field("manifest", manifest.source)
      json.field("lock", report.path)
      json.field("written", report.isWritten)
      json.field("files", report.files) { file in
        json.object {
          json.field("id", file.entry.id)
          json.field("destination", file.entry.destination.path)
          json.field("url", file.entry.url.redacted)
          json.field("change", file.change.rawValue)
          json.field("size", file.line?.size)
          json.field("sha256", file.line?.sha256.hex)
          json.field("error", file.error)
        }
      }
      json.field("summary") {
        json.field("total", report.files.count)
        for change in [LockReport.Change.added, .renewed, .kept, .failed] {
          json.field(change.rawValue, report.files.count { $0.change == change })
        }
        json.field("dropped", report.dropped)
      }
      json.field("exitStatus", Int(report.exitStatus))
    }
  }
}

extension FailureDocument {
  /// On standard output, where a program is to read it.
  func writeIfAsked(_ context: CommandContext) {
    if context.settings.format != .text { write(to: context.json, context.settings.format) }
  }
}
