import DLSyncModel
import Testing

@testable import DLSyncStore

@Suite struct RecordingTests {
  let folder = StateFolder()

  @Test func aPlannedFileComesBackAsItWasWanted() async throws {
    let store = try await folder.open()
    let entry = Sample.entry(
      "d/f.bin", "https://h.example/a?x=1", queue: "big", checksums: [Sample.digest(1), Sample.digest(9, .md5)],
      priority: 0.25)
    try await store.record(Sample.plan([Sample.download(entry)], queues: ["default", "big"]), now: Sample.now)
    let state = try await store.state(of: Sample.scope)
    let task = try #require(state.tasks.first)
    #expect(state.tasks.count == 1)
    #expect(task.id == entry.id)
    #expect(task.queue == QueueName("big"))
    #expect(task.destination == "/out/d/f.bin")
    #expect(task.url == "https://h.example/a?x=1")
    #expect(task.state == .waiting)
    #expect(task.checksums == entry.checksums)
    #expect(task.priority == 0.25)
    #expect(task.published == nil && task.intent == nil && task.totalBytes == nil)
    #expect(task.confirmedBytes == .zero)
  }

  @Test func onlyWhatMayBeLostWithThePowerIsNotWaitedFor() async throws {
    let store = try await folder.open()
    let entry = Sample.entry("d/f.bin", "https://h.example/a")
    try await store.record(Sample.plan([Sample.download(entry)]), now: Sample.now)
    let piece = ConfirmedPiece(range: ByteRange(0, 64), digest: Sample.digest(1), kind: .own)
    try await store.update([.began(entry.id, attempt: 1), .confirmed(entry.id, pieces: [piece])], now: Sample.now)
    #expect(try await store.synchronous() == 1)
    #expect(try await store.pieces(of: [entry.id])[entry.id]?.count == 1)
    let changes: [TaskChange] = [
      .confirmed(entry.id, pieces: [piece]), .state(entry.id, .suspended, error: nil),
    ]
    try await store.update(changes, now: Sample.now)
    #expect(try await store.synchronous() == 2)
    try await store.update([.piecesDropped(entry.id)], now: Sample.now)
    try await store.remove([entry.id], now: Sample.now)
    #expect(try await store.synchronous() == 2)
  }

  @Test func settingsComeBackAsTheyWere() async throws {
    let store = try await folder.open()
    var configuration = QueueConfiguration()
    configuration.rate = ByteCount(1000)
    configuration.tls.caFile = "/odd\npath=\\x"
    try await store.record(Sample.plan([], configuration: configuration), now: Sample.now)
    let queue = try #require(try await store.state(of: Sample.scope).queues.first)
    #expect(queue.name == .default)
    #expect(queue.runningProcess == nil)
    for setting in configuration.settings { #expect(queue.settings[setting.key] == setting.value, "\(setting.key)") }
    let snapshot = try #require(try await store.queueSnapshots(of: [Sample.scope]).first)
    #expect(snapshot.settings.map(\.key) == configuration.settings.map(\.key))
  }

  @Test func changedSettingsReplaceTheOldOnesUnlessTheQueueConflicts() async throws {
    let store = try await folder.open()
    try await store.record(Sample.plan([]), now: Sample.now)
    var configuration = QueueConfiguration()
    configuration.concurrency = 9
    let declaration = QueueDeclaration(.default, configuration)
    func plan(_ action: QueuePlan.Action) -> Plan {
      Plan(
        scope: Sample.scope, source: "", queues: [QueuePlan(declaration: declaration, action: action)], files: [],
        orphans: [])
    }
    try await store.record(plan(.conflict), now: Sample.now)
    #expect(try await store.state(of: Sample.scope).queues.first?.settings["concurrency"] == "3")
    try await store.record(plan(.update), now: Sample.now)
    #expect(try await store.state(of: Sample.scope).queues.first?.settings["concurrency"] == "9")
    #expect(try await store.state(of: Sample.scope).queues.count == 1)
  }

  @Test func conflictsAndKeptFilesAreNotRecorded() async throws {
    let store = try await folder.open()
    let conflict = FilePlan(entry: Sample.entry("a"), action: .conflict, reason: .destinationExists)
    try await store.record(
      Sample.plan([conflict, Sample.reuse(Sample.entry("b"), .kept), Sample.download(Sample.entry("c"))]),
      now: Sample.now)
    #expect(try await store.state(of: Sample.scope).tasks.map(\.destination) == ["/out/c"])
  }

  @Test func whatSettlesIsCompletedWithItsFile() async throws {
    let store = try await folder.open()
    let known = Sample.entry("a")
    let new = Sample.entry("b")
    try await store.record(Sample.plan([Sample.download(known)]), now: Sample.now)
    try await store.update([.intent(known.id, Sample.published(1))], now: Sample.now)
    try await store.record(
      Sample.plan([
        Sample.reuse(known, settles: Sample.published(1)), Sample.reuse(new, .adopted, settles: Sample.published(2)),
      ]), now: Sample.now)
    let tasks = try await store.state(of: Sample.scope).tasks
    #expect(tasks.map(\.state) == [.completed, .completed])
    #expect(tasks.map(\.published) == [Sample.published(1), Sample.published(2)])
    #expect(tasks.map(\.intent) == [nil, nil])
  }

  @Test func aFinishedFileThatIsWantedDifferentlyKeepsWhatWasPublished() async throws {
    let store = try await folder.open()
    let old = Sample.entry("a")
    try await store.record(Sample.plan([Sample.download(old)]), now: Sample.now)
    let piece = ConfirmedPiece(range: ByteRange(0, 5), digest: Sample.digest(3), kind: .chained)
    try await store.update(
      [.confirmed(old.id, pieces: [piece]), .published(old.id, Sample.published(1), bytes: 5)], now: Sample.now)
    #expect(try await store.pieces(of: [old.id]) == [old.id: [piece]])
    let new = Sample.entry("a", "https://h.example/b", checksums: [Sample.digest(7)], priority: 1)
    try await store.record(Sample.plan([Sample.download(new, .changed)]), now: Sample.now)
    let task = try #require(try await store.state(of: Sample.scope).tasks.first)
    #expect(task.state == .waiting)
    #expect(task.url == "https://h.example/b")
    #expect(task.checksums == [Sample.digest(7)])
    #expect(task.priority == 1)
    #expect(task.published == Sample.published(1))
    #expect(try await store.pieces(of: [old.id]).isEmpty, "digests of bytes that are to be replaced")
  }

  @Test func aReusedFileTakesTheNewURLAndStaysCompleted() async throws {
    let store = try await folder.open()
    let old = Sample.entry("a")
    try await store.record(Sample.plan([Sample.download(old)]), now: Sample.now)
    try await store.update([.published(old.id, Sample.published(1), bytes: 5)], now: Sample.now)
    try await store.record(Sample.plan([Sample.reuse(Sample.entry("a", "https://h.example/b"))]), now: Sample.now)
    let task = try #require(try await store.state(of: Sample.scope).tasks.first)
    #expect(task.state == .completed)
    #expect(task.url == "https://h.example/b")
    #expect(task.published == Sample.published(1))
  }

  @Test(arguments: [TaskState.suspended, .canceled])
  func whatIsHeldStaysHeld(state: TaskState) async throws {
    let store = try await folder.open()
    let entry = Sample.entry("a")
    try await store.record(Sample.plan([Sample.download(entry)]), now: Sample.now)
    try await store.update([.state(entry.id, state, error: nil)], now: Sample.now)
    let changed = Sample.entry("a", "https://h.example/b")
    try await store.record(Sample.plan([Sample.download(changed, .suspended, isHeld: true)]), now: Sample.now)
    let task = try #require(try await store.state(of: Sample.scope).tasks.first)
    #expect(task.state == state)
    #expect(task.url == "https://h.example/b")
  }

  @Test func aRetriedFileForgetsItsTroubleAndKeepsItsPieces() async throws {
    let store = try await folder.open()
    let entry = Sample.entry("a")
    try await store.record(Sample.plan([Sample.download(entry)]), now: Sample.now)
    let piece = ConfirmedPiece(range: ByteRange(0, 9), digest: Sample.digest(3), kind: .own)
    try await store.update(
      [
        .began(entry.id, attempt: 3), .confirmed(entry.id, pieces: [piece]),
        .state(entry.id, .failed, error: DLSyncError(.timedOut, "no byte for 60 s")),
      ], now: Sample.now)
    try await store.record(Sample.plan([Sample.download(entry, .resume)]), now: Sample.now)
    let task = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(task.state == .waiting && task.error == nil && task.attempts == 0 && task.finishedAt == nil)
    #expect(try await store.state(of: Sample.scope).tasks.first?.confirmedBytes == ByteCount(9))
  }

  @Test func aFileThatMovesToAnotherQueueTakesItsRecordAlong() async throws {
    let store = try await folder.open()
    let old = Sample.entry("a")
    let new = Sample.entry("a", queue: "big")
    try await store.record(Sample.plan([Sample.download(old)]), now: Sample.now)
    let piece = ConfirmedPiece(range: ByteRange(0, 9), digest: Sample.digest(3), kind: .own)
    try await store.update(
      [.confirmed(old.id, pieces: [piece]), .published(old.id, Sample.published(1), bytes: 5)], now: Sample.now)
    try await store.record(Sample.plan([Sample.reuse(new)], queues: ["default", "big"]), now: Sample.now)
    let tasks = try await store.state(of: Sample.scope).tasks
    #expect(tasks.map(\.id) == [new.id])
    #expect(tasks.map(\.queue.text) == ["big"])
    #expect(tasks.map(\.state) == [.completed])
    #expect(tasks.map(\.published) == [Sample.published(1)])
    #expect(try await store.pieces(of: [new.id]) == [new.id: [piece]])
  }

  @Test func aClaimHoldsOverAllScopes() async throws {
    let store = try await folder.open()
    let other = Scope("other")
    let mine = Sample.entry("a")
    let theirs = Sample.entry("a", scope: other)
    let free = Sample.entry("b", scope: other)
    try await store.record(Sample.plan([Sample.download(mine)]), now: Sample.now)
    #expect(try await store.state(of: other).foreignClaims == ["/out/a": Sample.scope])
    let refused = try await store.record(
      Sample.plan([Sample.download(theirs), Sample.download(free)], scope: other), now: Sample.now)
    #expect(refused == [theirs.id])
    #expect(try await store.state(of: other).tasks.map(\.id) == [free.id])
    #expect(try await store.state(of: Sample.scope).tasks.map(\.id) == [mine.id])
    try await store.remove([mine.id], now: Sample.now)
    #expect(try await store.record(Sample.plan([Sample.download(theirs)], scope: other), now: Sample.now) == [])
    #expect(try await store.state(of: Sample.scope).foreignClaims == ["/out/a": other, "/out/b": other])
  }

  @Test func aClaimHoldsAboveAndBelowItself() async throws {
    let store = try await folder.open()
    let other = Scope("other")
    let mine = ["a", "b/c/d", "e/f/g", "k"].map { Sample.entry($0) }
    try await store.record(Sample.plan(mine.map { Sample.download($0) }), now: Sample.now)
    let names = ["a/x", "a/y/z", "b", "b/c", "e/f0", "e/f", "ab", "k/l"]
    let theirs = names.map { Sample.entry($0, scope: other) }
    let claims = try await store.state(of: other, concerning: Array(theirs[..<4])).foreignClaims
    #expect(claims == ["/out/a": Sample.scope, "/out/b/c/d": Sample.scope])
    let ownFolder = try await store.state(of: Sample.scope, concerning: [Sample.entry("a/x")])
    #expect(ownFolder.tasks.isEmpty && ownFolder.foreignClaims.isEmpty)
    let refused = try await store.record(
      Sample.plan(theirs.map { Sample.download($0) }, scope: other), now: Sample.now)
    #expect(refused == [0, 1, 2, 3, 5, 7].map { theirs[$0].id })
    #expect(try await store.state(of: other).tasks.map(\.id) == [theirs[4].id, theirs[6].id])
  }

  @Test func noSecretReachesTheDisk() async throws {
    let store = try await folder.open()
    let secret = "hunter2secret"
    let entry = Sample.entry(
      "a", "https://h.example/a?X-Amz-Signature=\(secret)&x=1",
      headers: [HeaderField("Authorization", "Bearer \(secret)"), HeaderField("X-Plain", secret)])
    var configuration = QueueConfiguration()
    configuration.network.proxy = .url("http://u:\(secret)@127.0.0.1:1")
    try await store.record(Sample.plan([Sample.download(entry)], configuration: configuration), now: Sample.now)
    let response = ResponseRecord(
      statusCode: 200, finalURL: "https://u:\(secret)@cdn.example/a?token=\(secret)",
      headers: [HeaderField("Set-Cookie", "s=\(secret)"), HeaderField("ETag", "\"1\"")])
    try await store.update([.response(entry.id, response)], now: Sample.now)
    #expect(folder.files.count == 3)
    for (name, file) in folder.files {
      #expect(!String(decoding: file.bytes, as: UTF8.self).contains(secret), "\(name)")
    }
    let snapshot = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(snapshot.url == "https://h.example/a?x=1")
    #expect(snapshot.responseHeaders == [HeaderField("ETag", "\"1\"")])
  }

  @Test func aChangedSignatureIsSeenThoughItIsNotStored() async throws {
    let store = try await folder.open()
    func plan(_ signature: String) -> Plan {
      Sample.plan([Sample.download(Sample.entry("a", "https://h.example/a?sig=\(signature)"))])
    }
    try await store.record(plan("1"), now: Sample.now)
    let later = Timestamp(seconds: 1_800_000_000)
    try await store.record(plan("1"), now: later)
    #expect(try await store.taskSnapshots(of: nil).first?.updatedAt == Sample.now)
    try await store.record(plan("2"), now: later)
    #expect(try await store.taskSnapshots(of: nil).first?.updatedAt == later)
  }
}

extension Store {
  /// How far the connection that writes waits for the disk: 1 is NORMAL, 2 is FULL.
  fileprivate func synchronous() throws -> Int64? {
    try reading { (connection) throws(StoreFailure) in try connection.integer("PRAGMA synchronous") }
  }
}
