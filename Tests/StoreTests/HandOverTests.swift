import DLSyncModel
import Testing

@testable import DLSyncStore

@Suite struct HandOverTests {
  let folder = StateFolder()
  let entry = Sample.entry("a", headers: [HeaderField("X-A", "b: c")])

  private func background(_ files: [FilePlan]) -> Plan {
    var configuration = QueueConfiguration()
    configuration.mode = .background
    return Sample.plan(files, configuration: configuration)
  }

  private func handedOver(_ entry: FileEntry) async throws -> Store {
    let store = try await folder.open()
    try await store.record(background([Sample.download(entry)]), handingOver: [.default], now: Sample.now)
    return store
  }

  @Test func anEntryComesBackAsItWas() async throws {
    var settings = FileSettings()
    settings.headers = [HeaderField("X-A", "b: c"), HeaderField("Empty", "")]
    settings.permissions = 0o640
    settings.onConflict = .replace
    settings.mirrors = [Sample.url("https://m.example/a"), Sample.url("https://n.example/a?token=x")]
    settings.listedChecksums = [
      ListedChecksum(place: .url(Sample.url("https://h.example/SUMS")), algorithm: .sha256, name: "a b"),
      ListedChecksum(place: .file("/lists/one"), algorithm: nil, name: nil),
    ]
    settings.refresh = .after(.seconds(90))
    settings.keepsEncoding = true
    settings.takesServerTime = true
    settings.notify = NotificationTexts(success: "all\nwell", failure: nil)
    settings.tags = ["x", "y=z"]
    let place = try Destination("sub/a", root: "/out")
    let entry = FileEntry(
      scope: Sample.scope, url: Sample.url("https://h.example/a?token=secret"), destination: place,
      checksums: [Sample.digest(1)], size: ByteCount(7), priority: 0.25, options: FileOptions(settings), line: 3,
      column: 5)
    let store = try await handedOver(entry)
    let back = try #require(try await store.backgroundEntries(of: Sample.scope, .default).first?.entry)
    #expect(back.options.settings == settings)
    #expect(back.id == entry.id && back.url.text == entry.url.text && back.destination == place)
    #expect(back.checksums == entry.checksums && back.size == entry.size && back.priority == 0.25)
    #expect(back.line == 3 && back.column == 5)
  }

  @Test func whatTheAgentNeedsGoesWithTheEnd() async throws {
    let store = try await handedOver(entry)
    #expect(try await store.hasBackgroundWork())
    #expect(try await store.taskSnapshots(of: nil).first?.isBackground == true)
    try await store.update([.state(entry.id, .failed, error: nil)], now: Sample.now)
    #expect(try await store.backgroundQueues().isEmpty, "nothing is to be fetched")
    _ = try await store.carryOut([(.resume, entry.id)], now: Sample.now)
    #expect(
      try await store.backgroundEntries(of: Sample.scope, .default).first?.entry.options.headers
        == entry.options.headers)
    try await store.update([.published(entry.id, Sample.published(1, size: 5), bytes: 5)], now: Sample.now)
    #expect(try await store.taskSnapshots(of: nil).first?.isBackground == false)
    #expect(try await store.backgroundQueues().isEmpty)
  }

  @Test func whatTheAgentIsAtStaysAsItIs() async throws {
    let store = try await handedOver(entry)
    let first = try #require(try await store.backgroundQueues().first)
    try await store.update([.began(entry.id, attempt: 1)], now: Sample.now)
    try await store.record(background([Sample.download(entry)]), handingOver: [.default], now: Sample.now)
    #expect(try await store.taskSnapshots(of: nil).first?.state == .running)
    #expect(try await store.backgroundQueues().first?.handed != first.handed)
    try await store.record(background([Sample.download(entry)]), now: Sample.now)
    #expect(try await store.taskSnapshots(of: nil).first?.state == .waiting)
  }

  @Test func newHeadersTakeTheOldOnesPlace() async throws {
    let store = try await handedOver(entry)
    try await store.update([.state(entry.id, .failed, error: nil)], now: Sample.now)
    let results = try await store.carryOut(
      [(.headers([HeaderField("Y", "z")]), entry.id), (.resume, entry.id)], now: Sample.now)
    for result in results { _ = try result.get() }
    #expect(
      try await store.backgroundEntries(of: Sample.scope, .default).first?.entry.options.headers == [
        HeaderField("Y", "z")
      ])
  }

  @Test func hooksAreKeptWithWhatIsHandedOver() async throws {
    let hook = QueueHook(command: "run 'a b'", notify: NotificationTexts(success: "x", failure: "y\nz"))
    let store = try await folder.open()
    try await store.record(background([Sample.download(entry)]), handingOver: [.default], hook: hook, now: Sample.now)
    #expect(try await store.backgroundQueues().first?.hook == hook)
    // A run that hands nothing over changes nothing of it.
    try await store.record(background([]), handingOver: [.default], hook: QueueHook(), now: Sample.now)
    #expect(try await store.backgroundQueues().first?.hook == hook)
  }

  @Test func theEndOfAQueueIsToldOnceAndByWhoeverIsThere() async throws {
    let store = try await handedOver(entry)
    #expect(try await store.takeEnds().isEmpty, "there is work")
    try await store.update(
      [
        .left(entry.id, .completed, fetched: ByteCount(5), error: nil),
        .published(entry.id, Sample.published(1, size: 5), bytes: 5),
      ], now: Sample.now)
    await store.close()
    // The agent was killed here.
    let next = try await folder.open()
    #expect(try await next.hasBackgroundWork())
    #expect(try await next.backgroundQueues().isEmpty)
    let end = try #require(try await next.takeEnds().first)
    #expect(end.queue.declaration.name == .default)
    #expect(end.tasks.map(\.id) == [entry.id] && end.tasks.first?.handed?.fetched == ByteCount(5))
    #expect(try await next.takeEnds().isEmpty)
    #expect(try await !next.hasBackgroundWork())
    // What is resumed is another end.
    try await next.record(background([Sample.download(entry)]), handingOver: [.default], now: Sample.now)
    try await next.update([.state(entry.id, .failed, error: nil)], now: Sample.now)
    #expect(try await next.takeEnds().count == 1)
    _ = try await next.carryOut([(.resume, entry.id)], now: Sample.now)
    try await next.update([.state(entry.id, .failed, error: nil)], now: Sample.now)
    #expect(try await next.takeEnds().count == 1)
  }

  @Test func anEndThatIsOwedAgainIsToldWithoutItsTexts() async throws {
    let store = try await folder.open()
    let hook = QueueHook(command: "run", notify: NotificationTexts(success: "x", failure: nil))
    try await store.record(background([Sample.download(entry)]), handingOver: [.default], hook: hook, now: Sample.now)
    try await store.update([.published(entry.id, Sample.published(1, size: 5), bytes: 5)], now: Sample.now)
    let end = try #require(try await store.takeEnds().first)
    #expect(end.queue.hook == hook)
    try await store.oweAgain(end)
    #expect(try await store.hasBackgroundWork())
    let again = try #require(try await store.takeEnds().first)
    #expect(again.queue.hook == QueueHook(command: "run") && again.tasks.map(\.id) == [entry.id])
    #expect(try await store.takeEnds().isEmpty)
    // What was handed over since has its own.
    try await store.oweAgain(end)
    try await store.record(background([Sample.download(entry)]), handingOver: [.default], hook: hook, now: Sample.now)
    try await store.update([.state(entry.id, .failed, error: nil)], now: Sample.now)
    try await store.oweAgain(end)
    #expect(try await store.takeEnds().first?.queue.hook == hook)
    // Of removed tasks there is nothing to tell.
    _ = try await store.carryOut([(.remove(deletesFile: false), entry.id)], now: Sample.now)
    try await store.oweAgain(end)
    #expect(try await !store.hasBackgroundWork())
  }

  /// Whether a text stands anywhere in the state's files.
  private func holds(_ text: String) -> Bool {
    ["", "-wal"].contains { ending in
      StateFolder.read(folder.database + ending).firstRange(of: Array(text.utf8)) != nil
    }
  }

  @Test(arguments: [true, false]) func secretsOfAQueueGoWithItsWork(isTold: Bool) async throws {
    var configuration = QueueConfiguration()
    configuration.mode = .background
    configuration.network.proxy = .url("http://me:PRXSECRET@p.example:3128")
    let store = try await folder.open()
    try await store.record(
      Sample.plan([Sample.download(entry)], configuration: configuration), handingOver: [.default],
      hook: QueueHook(command: "tell HKSECRET"), now: Sample.now)
    try await store.update([.state(entry.id, .failed, error: nil)], now: Sample.now)
    #expect(try await store.takeEnds().count == 1)
    #expect(holds("PRXSECRET"), "a failed file may be gone on with")
    _ = try await store.carryOut([(.resume, entry.id)], now: Sample.now)
    #expect(try await store.backgroundQueues().first?.declaration.configuration == configuration)
    try await store.update([.published(entry.id, Sample.published(1, size: 5), bytes: 5)], now: Sample.now)
    if isTold {
      let end = try #require(try await store.takeEnds().first)
      #expect(end.queue.hook.command == "tell HKSECRET" && end.queue.declaration.configuration == configuration)
      #expect(try await store.purge())
      #expect(!holds("HKSECRET"))
    } else {
      configuration = QueueConfiguration()
      let queue = QueuePlan(declaration: QueueDeclaration(.default, configuration), action: .update)
      try await store.record(
        Plan(scope: Sample.scope, source: "m.yaml", queues: [queue], files: [], orphans: []), now: Sample.now)
    }
    #expect(!holds("PRXSECRET"))
  }

  @Test func theEndOfAProgramsQueueIsNotTheAgentsToTell() async throws {
    let store = try await folder.open()
    let queue = background([]).queues[0].declaration
    try await store.record(queue, of: Sample.scope, requests: [], now: Sample.now)
    _ = try await store.enrol([entry], in: queue, of: Sample.scope, now: Sample.now)
    for result in try await store.carryOut([(.pause, entry.id), (.resume, entry.id)], now: Sample.now) {
      _ = try result.get()
    }
    #expect(try await store.hasBackgroundWork())
    try await store.update([.published(entry.id, Sample.published(1, size: 5), bytes: 5)], now: Sample.now)
    #expect(try await store.takeEnds().isEmpty)
    #expect(try await !store.hasBackgroundWork())
  }

  @Test func aFinishedFileIsTheAgentsToRefreshAndStaysFinished() async throws {
    let store = try await folder.open()
    try await store.record(background([Sample.download(entry)]), now: Sample.now)
    try await store.update([.published(entry.id, Sample.published(1, size: 5), bytes: 5)], now: Sample.now)
    let stale = FilePlan(
      entry: entry, action: .download, reason: .stale, settles: Sample.published(1, size: 5))
    try await store.record(background([stale]), handingOver: [.default], now: Sample.now)
    let task = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(task.state == .completed && task.isRefreshing)
    let work = try await store.backgroundEntries(of: Sample.scope, .default)
    #expect(work.map(\.entry.id) == [entry.id] && work.map(\.isRefresh) == [true])
    let error = DLSyncError(.httpStatus, "the server answered 500", hint: "later", .init(statusCode: 500))
    try await store.update(
      [
        .left(entry.id, .failed, fetched: .zero, error: error),
        .settled(entry.id, Sample.published(1, size: 5)),
      ], now: Sample.now)
    let after = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(after.state == .completed && !after.isRefreshing && after.error == nil)
    #expect(after.handed?.state == .failed && after.handed?.error?.code == .httpStatus)
    #expect(after.handed?.error?.details.statusCode == 500 && after.handed?.error?.hint == "later")
    #expect(try await store.backgroundQueues().isEmpty)
  }
}
