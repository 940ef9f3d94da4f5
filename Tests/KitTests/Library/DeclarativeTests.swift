import DLSyncKit
import DLSyncTestSupport
import DLSyncThreading
import Testing

/// Load, plan, execute, report: the declarative layer as programs see it, on the same record as the queues.
@Suite(.fewAtOnce) struct DeclarativeTests {
  let scene: LibraryScene
  let workspace: Workspace

  init() throws {
    scene = try LibraryScene()
    workspace = scene.manager().workspace
  }

  private func manifest(_ names: [String], extra: String = "") throws -> Manifest {
    var text = "version: 1\nroot: out\nfiles:\n"
    for name in names {
      text += "  - url: \"\(scene.origin.serve("/" + name, .file(Array("bytes of \(name)".utf8))))\"\n"
      text += "    destination: \(name)\n"
    }
    return try Manifest.load(try scene.folder.write(text + extra, to: "manifest.yaml"), in: workspace)
  }

  @Test func aManifestIsPlannedThenExecutedThenLeftAlone() async throws {
    let manifest = try manifest(["a", "b"])
    let plan = try await Planner(workspace).plan(manifest)
    #expect(plan.files.map(\.action) == [.download, .download])
    #expect(!scene.folder.holds("state"), "a plan changes nothing")
    let report = await Executor(workspace).execute(plan, of: manifest)
    #expect(report.exitStatus == 0 && report.summary.downloaded == 2)
    #expect(scene.text("a") == "bytes of a")
    let again = await Executor(workspace).execute(manifest)
    #expect(again.summary.reused == 2 && again.summary.downloaded == 0)
    #expect(scene.origin.requests().count == 2)
  }

  @Test func aPlanThatIsOutOfDateIsNotExecuted() async throws {
    let manifest = try manifest(["a"])
    let plan = try await Planner(workspace).plan(manifest)
    try scene.folder.write("mine", to: "out/a")
    let report = await Executor(workspace).execute(plan, of: manifest)
    #expect(report.end?.error?.code == .interrupted)
    #expect(scene.text("a") == "mine")
    #expect(scene.origin.requests().isEmpty)
  }

  @Test func everyErrorOfAManifestHasItsPlace() throws {
    let text = "version: 1\nfiles:\n  - url: ftp://h/a\n    destination: a\n  - url: http://h/b\n    nonsense: 1\n"
    let path = try scene.folder.write(text, to: "wrong.yaml")
    do throws(ManifestLoadFailure) {
      _ = try Manifest.load(path, in: workspace)
      Issue.record("the manifest is wrong")
    } catch {
      guard case .invalid(let error) = error else {
        Issue.record("\(error)")
        return
      }
      let lines = error.diagnostics.map(\.location.line)
      #expect(lines.contains(3) && lines.contains(6), "\(lines)")
    }
  }

  @Test func queuesAndManifestsDoNotShareDestinations() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let report = await Executor(workspace).execute(try manifest(["a"]))
    #expect(report.summary.downloaded == 1)
    #expect(await code { try await queue.download(scene.file("a")) } == .destinationConflict)
    try await queue.download(scene.file("b")).waitUntilFinished()
    let other = await Executor(workspace).execute(try manifest(["a", "b"]))
    #expect(other.summary.conflicts == 1 && other.summary.reused == 1)
    await manager.close()
  }

  @Test func observersAreToldWhatTheReportAddsUp() async throws {
    let manifest = try manifest(["a", "b", "c"])
    scene.origin.serve("/b", .status(404))
    let observer = Adder()
    let report = await Executor(workspace).execute(manifest, observer: observer)
    #expect(observer.report.summary == report.summary)
    #expect(report.summary.failed == 1 && report.exitStatus == 1)
  }

  @Test func stoppingLeavesEverythingResumable() async throws {
    let bytes = payload(count: 8 << 20)
    let manifest = try manifest(["a"], extra: "queues:\n  default: { chunkSize: 64KiB }\n")
    let url = manifest.files[0].url.path
    scene.origin.serve(url, [.file(bytes).paced(bytesPerSecond: 512 << 10), .file(bytes)])
    let stop = StopRequest()
    async let first = Executor(workspace).execute(manifest, stop: stop)
    #expect(
      try await eventually {
        try await DLSyncKit.Planner(workspace).plan(manifest).files[0].reason == .resume
      })
    stop.stop(signal: 15)
    #expect(await first.exitStatus == 143)
    #expect(await Executor(workspace).execute(manifest).exitStatus == 0)
    #expect(scene.folder.read("out/a") == bytes)
    let ranges = scene.origin.requests(url).map { $0.header("Range") ?? "all" }
    #expect(ranges.last != "all", "\(ranges)")
  }

  @Test func noManifestCanHaveTheDefaultScope() throws {
    let manager = DownloadManager(stateFolder: scene.folder("state"))
    try scene.folder.write("version: 1\nname: \"\(manager.scope)\"\nfiles: []\n", to: "m.yaml")
    #expect(throws: ManifestLoadFailure.self) { try Manifest.load(scene.folder("m.yaml"), in: manager.workspace) }
    #expect(!manager.scope.text.isEmpty && !manager.scope.text.hasPrefix("/"))
  }
}

/// Adds events up as the report does.
private final class Adder: RunObserver {
  private let folded = Locked(Report())
  var report: Report { folded.withLock { $0 } }
  func receive(_ events: [Event]) { folded.withLock { report in events.forEach { report.apply($0) } } }
}
