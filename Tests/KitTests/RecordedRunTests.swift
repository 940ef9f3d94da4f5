import DLSyncDisk
import DLSyncModel
import DLSyncStore
import DLSyncTestSupport
import DLSyncThreading
import DLSyncTransfer
import Glibc
import Testing

@testable import DLSyncKit

/// Runs from the record that take in more while they go on, as the agent and a `DownloadManager` have them.
@Suite(.fewAtOnce) struct RecordedRunTests {
  let scene: LibraryScene
  let scope = Scope("tests")

  init() throws { scene = try LibraryScene() }

  /// A background queue with these tasks, which nobody runs.
  private func recorded(_ requests: [DownloadRequest]) async throws -> (Workspace, Store, [FileEntry]) {
    let manager = scene.manager("tests")
    let queue = try await manager.open(queue: "q") { $0.mode = .background }
    await manager.close()
    let workspace = manager.workspace
    let store = try #require(try await Store.open(folder: workspace.stateFolder, access: .write))
    return (workspace, store, try await enrol(requests, queue.name, workspace, store))
  }

  @discardableResult
  private func enrol(
    _ requests: [DownloadRequest], _ queue: QueueName, _ workspace: Workspace, _ store: Store
  ) async throws -> [FileEntry] {
    let entries = try requests.map { try $0.entry(of: queue, scope, stateFolder: workspace.stateFolder) }
    var configuration = QueueConfiguration()
    configuration.mode = .background
    let declaration = QueueDeclaration(queue, configuration)
    let enrolments = try await store.enrol(entries, in: declaration, of: scope, now: .now)
    #expect(enrolments.count == entries.count)
    return entries
  }

  private func state(_ entry: FileEntry, _ store: Store) async throws -> TaskState? {
    try await store.taskSnapshot(entry.id)?.state
  }

  /// Its lock is somebody else's by then.
  @Test func aQueueThatIsClosedWhileFilesAreReadIsNotBegun() async throws {
    let (workspace, store, entries) = try await recorded([scene.file("a")])
    let (cancel, gate) = (CancelToken(), Gate())
    let planning = RecordPlanning(
      declaration: QueueDeclaration(QueueName("q"), QueueConfiguration()), scope: scope, store: store,
      workspace: workspace, relay: EventRelay(ReportCollector(SilentObserver())), cancel: cancel)
    await gate.enter()
    let end = await code {
      try await planning.plan(turnstile: gate, changes: { 0 }) { () throws(DLSyncError) in
        cancel.cancel()
        return [BackgroundEntry(entry: entries[0], isRefresh: false)]
      }
    }
    #expect(end == .interrupted)
    #expect(!gate.tryEnter(), "the gate is the caller's to leave")
    gate.leave()
    await store.close()
  }

  /// A task that was removed meanwhile would come back otherwise.
  @Test(arguments: [TaskCommand.pause, .remove(deletesFile: false)])
  func aCommandDuringALookIsObeyedAfterIt(_ command: TaskCommand) async throws {
    let expected: TaskState? = command == .pause ? .suspended : nil
    let (workspace, store, _) = try await recorded([scene.slowFile("endless")])
    let queue = try #require(try await store.backgroundQueues().first)
    let transport = CurlTransport()
    let stop = StopRequest()
    let runner = try #require(
      try await QueueRunner.begin(queue, workspace, transport: transport, listener: SilentListener(), stop: stop))
    async let end = runner.run(stop: stop)
    #expect(try await eventually { try await store.taskSnapshots(of: nil).first?.state == .running })

    let late = try await enrol([scene.slowFile("late")], queue.declaration.name, workspace, store)[0]
    let number = Locked<Int64?>(nil)
    try await runner.take { () throws(DLSyncError) in
      let entries = try await store.backgroundEntries(of: self.scope, queue.declaration.name)
      // Somebody asks for something else before what was read is taken in. A run looks for that eight times a second.
      guard number.withLock({ $0 == nil }) else { return entries }
      let numbers = try await store.post([(command, late.id)], now: .now)
      number.withLock { $0 = numbers[0] }
      try? await Task.sleep(for: .milliseconds(400))
      return entries
    }
    let posted = try #require(number.withLock { $0 })
    #expect(try await eventually { try await !store.answers(to: [posted]).isEmpty })
    #expect(try await store.answers(to: [posted]).first?.error == nil)
    try? await Task.sleep(for: .milliseconds(300))
    #expect(try await state(late, store) == expected)
    #expect(scene.origin.requests("/late").count <= 1)
    stop.stop(signal: 15)
    _ = await end
    #expect(try await state(late, store) == expected)
    transport.stop()
  }

  /// The process that was asked is killed, and the next one has read the task before the command removes it here.
  @Test func whatIsRemovedAfterAKillIsNotRecordedAgain() async throws {
    let (workspace, store, entries) = try await recorded([scene.file("a")])
    let (entry, queue) = (entries[0], entries[0].queue)
    try scene.folder.write("other", to: "out/a")
    let identity = FileIdentity(device: 1, inode: 1, size: 1, modified: 1, changed: 1, mode: 0o644)
    let digest = Digest(.sha256, hex: String(repeating: "0", count: 64))!
    let published = PublishedFile(fingerprint: digest, identity: identity, recordedAt: .now)
    try await store.update([.settled(entry.id, published)], now: .now)
    let task = try #require(try await workspace.status(of: []).tasks.first)
    func request() async throws -> TaskRequest? {
      try await store.requests(of: scope, [queue], since: nil, now: .now)?.requests.first
    }
    let (isKilled, hasNext) = (Locked(false), Locked(false))
    let own = try #require(try await Store.open(folder: workspace.stateFolder, access: .write))
    let dispatch = CommandDispatch(store: own) { task throws(DLSyncError) in
      if !isKilled.withLock({ $0 }) || hasNext.withLock({ $0 }) { return true }
      guard try await own.task(task.id) == nil else { return false }
      let declaration = QueueDeclaration(queue, QueueConfiguration())
      _ = try await own.enrol([entry], in: declaration, of: self.scope, now: .now)
      hasNext.withLock { $0 = true }
      return true
    }
    async let results = dispatch.carryOut([
      CommandOrder(task: task, command: .remove(deletesFile: true), isNamed: true)
    ])
    #expect(try await eventually { try await request() != nil })
    let asked = try #require(try await request())
    isKilled.withLock { $0 = true }
    let isAskedAgain = try await eventually { try await request().map { $0.number != asked.number } == true }
    #expect(isAskedAgain, "the next process was not told")
    let again = try #require(try await request())
    #expect(again.task == entry.id && again.command == .remove(deletesFile: true))
    try await store.answer([TaskAnswer(number: again.number, error: nil)], now: .now)
    #expect(
      try await results.map(\.error?.code) == [.destinationModified], "the file is not the one that was published")
  }

  /// A killed run had moved the file and not recorded it; the headers that it was asked for with are gone.
  @Test func whatWasPublishedIsSettledWithoutItsSecrets() async throws {
    var request = try scene.slowFile("a")
    request.headers = [HeaderField("Authorization", "Bearer word")]
    var manager = scene.manager()
    let id = try await manager.open(queue: "q").download(request).id
    await manager.close()
    let store = try #require(try await Store.open(folder: manager.workspace.stateFolder, access: .write))
    let bytes = payload(count: 1000)
    try scene.folder.write(bytes, to: "out/a")
    guard case .file(let identity)? = Surveyor().survey(recorded: [scene.folder("out/a")]).values.first else {
      Issue.record("no file")
      return
    }
    let digest = bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.sha256]) }[.sha256]!
    let intent = PublishedFile(fingerprint: digest, identity: identity, recordedAt: .now)
    try await store.update([.intent(id, intent)], now: .now)
    manager = scene.manager()
    let task = try #require(try await manager.open(queue: "q").task(id: id))
    #expect(try await eventually { try await task.snapshot().state == .completed })
    #expect(try await task.snapshot().fingerprint == digest)
    await manager.close()
  }

  @Test func copiesAmongLateFilesAreOfTheirOwnSource() async throws {
    let first = try scene.file("first")
    var twin = first
    twin.destination = scene.folder("out/first-copy")
    let (workspace, store, entries) = try await recorded([first, twin, scene.slowFile("endless")])
    let run = try await begin(entries, workspace, store)
    let stop = StopRequest()
    async let report = run.run(stop: stop)
    #expect(try await eventually { try await state(entries[1], store) == .completed })

    let other = try scene.file("other")
    var copy = other
    copy.destination = scene.folder("out/other-copy")
    let late = try await enrol([other, copy], QueueName("q"), workspace, store)
    try await run.take { () throws(DLSyncError) in late.map { BackgroundEntry(entry: $0, isRefresh: false) } }
    #expect(try await eventually { try await state(late[1], store) == .completed })
    #expect(scene.text("other-copy") == scene.text("other"))
    stop.stop(signal: 15)
    #expect(await report.outcomes.compactMap { $0 }.filter { $0.state == .completed }.count == 4)
  }

  /// What a run tells of one more file is that file, and not all of them once more.
  @Test func aLateFileIsPlannedAndToldAlone() async throws {
    let (workspace, store, entries) = try await recorded([scene.slowFile("endless")])
    let told = Counter()
    let run = try await begin(entries, workspace, store) { event in
      switch event {
      case .planned(let plan): told.add(Int64(plan.files.count))
      case .joined(let files): told.add(Int64(files.count))
      default: break
      }
    }
    let stop = StopRequest()
    async let report = run.run(stop: stop)
    await run.execution.untilUnderWay()
    for number in 1...30 {
      let late = try await enrol([scene.slowFile("late-\(number)")], QueueName("q"), workspace, store)
      let taken = try await run.take { () throws(DLSyncError) in
        late.map { BackgroundEntry(entry: $0, isRefresh: false) }
      }
      #expect(taken.count == 1)
    }
    #expect(told.value == 31)
    stop.stop(signal: 15)
    #expect(await report.summary.total == 31)
  }

  /// Whoever looks for more while the run only begins finds its own files in the record.
  @Test func aLookBeforeTheRunKnowsItsFilesFindsThemToo() async throws {
    let (workspace, store, entries) = try await recorded([try scene.file("first"), try scene.file("second")])
    let run = try await begin(entries, workspace, store)
    let looking = Task {
      try await run.take { () throws(DLSyncError) in
        try await store.backgroundEntries(of: self.scope, QueueName("q"))
      }
    }
    // Time for it to be too early.
    try await Task.sleep(for: .milliseconds(200))
    let report = await run.run(stop: StopRequest())
    #expect(try await looking.value.isEmpty)
    #expect(report.summary.total == 2 && report.summary.downloaded == 2 && report.summary.failed == 0)
    #expect(scene.origin.requests("/first").count == 1 && scene.origin.requests("/second").count == 1)
  }

  private func begin(
    _ entries: [FileEntry], _ workspace: Workspace, _ store: Store, tap: (@Sendable (Event) -> Void)? = nil
  ) async throws -> RecordedRun {
    let queue = try #require(try await store.backgroundQueues().first)
    let run = try await RecordedRun.begin(
      queue.declaration, of: scope, workspace, store: store, transport: CurlTransport(), observer: SilentObserver(),
      tap: tap, turnstile: Gate()
    ) { () throws(DLSyncError) in entries.map { BackgroundEntry(entry: $0, isRefresh: false) } }
    return try #require(run)
  }
}

private struct SilentListener: AgentListener {
  func observer(of scope: Scope, _ queue: QueueName) -> any RunObserver { SilentObserver() }
  func queueStoodStill(scope: Scope, _ queue: QueueName, _ error: DLSyncError) {}
  func queueEnded(_ end: QueueEnd) async -> Bool { true }
  func logWasMoved() {}
}
