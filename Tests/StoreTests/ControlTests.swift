import DLSyncModel
import DLSyncThreading
import Testing

@testable import DLSyncStore

@Suite struct ControlTests {
  let folder = StateFolder()
  let entry = Sample.entry("a")

  private func planned() async throws -> Store {
    let store = try await folder.open()
    try await store.record(Sample.plan([Sample.download(entry)]), now: Sample.now)
    return store
  }

  private func commanded(_ store: Store, _ command: TaskCommand) async throws -> Result<CommandedTask, DLSyncError> {
    try #require(try await store.carryOut([(command, entry.id)], now: Sample.now).first)
  }

  private func state(_ store: Store) async throws -> TaskState? {
    try await store.taskSnapshots(of: nil).first { $0.id == entry.id }?.state
  }

  @Test func aStateOfTheFirstVersionIsBroughtUp() async throws {
    let first = Schema(
      steps: Array(Schema.current.steps.prefix(1)),
      tables: ["scope", "queue", "task", "response", "failure", "intent", "piece"])
    let old = try #require(try await Store.open(folder: folder.path, access: .write, schema: first))
    await old.close()
    let store = try await planned()
    #expect(try await store.post([(.pause, entry.id)], now: Sample.instant).first != .some(nil))
  }

  @Test func commandsChangeTheRecordByTheJudge() async throws {
    let store = try await planned()
    _ = try await commanded(store, .pause).get()
    #expect(try await state(store) == .suspended)
    let again = try await commanded(store, .pause)
    #expect(throws: DLSyncError.self) { try again.get() }
    _ = try await commanded(store, .resume).get()
    #expect(try await state(store) == .waiting)
    _ = try await commanded(store, .remove(deletesFile: false)).get()
    #expect(try await state(store) == nil)
    let gone = try await commanded(store, .resume)
    #expect { try gone.get() } throws: { ($0 as? DLSyncError)?.code == .taskNotFound }
  }

  /// Its process was killed, and the file may be in place.
  @Test func aFileThatWasAboutToBePublishedIsBusy() async throws {
    let store = try await planned()
    try await store.update([.intent(entry.id, Sample.published(1), keepsState: true)], now: Sample.now)
    for command in [TaskCommand.pause, .cancel, .remove(deletesFile: true)] {
      let result = try await commanded(store, command)
      #expect { try result.get() } throws: { ($0 as? DLSyncError)?.code == .taskBusy }
    }
    #expect(try await store.state(of: Sample.scope).tasks.first?.intent == Sample.published(1))
    try await store.update([.state(entry.id, .waiting, error: nil)], now: Sample.now)
    _ = try await commanded(store, .cancel).get()
  }

  @Test func cancelDropsPiecesAndKeepsTheClaim() async throws {
    let store = try await planned()
    let piece = ConfirmedPiece(range: ByteRange(0, 65_536), digest: Sample.digest(1), kind: .own)
    try await store.update([.began(entry.id, attempt: 1), .confirmed(entry.id, pieces: [piece])], now: Sample.now)
    _ = try await commanded(store, .cancel).get()
    #expect(try await store.pieces(of: [entry.id]) == [:])
    let claims = try await store.state(of: Scope("other")).foreignClaims
    #expect(claims[BytewiseText(entry.destination.path)] == Sample.scope)
  }

  @Test func requestsAreSeenOnceSomebodyElseWroteAndAnsweredOnce() async throws {
    let runner = try await planned()
    let queues: Set<QueueName> = [.default]
    let first = try #require(
      try await runner.requests(of: Sample.scope, queues, since: nil, now: Sample.instant))
    #expect(first.requests.isEmpty)
    #expect(try await runner.requests(of: Sample.scope, queues, since: first.version, now: Sample.instant) == nil)

    let commander = try await folder.open()
    let number = try #require(try await commander.post([(.priority(0.25), entry.id)], now: Sample.instant).first ?? nil)
    let batch = try #require(
      try await runner.requests(of: Sample.scope, queues, since: first.version, now: Sample.instant))
    #expect(batch.requests.map(\.number) == [number])
    #expect(batch.requests.first?.command == .priority(0.25))
    #expect(try await commander.answers(to: [number]).isEmpty)

    let refusal = DLSyncError(.taskBusy, "no", hint: "later")
    try await runner.answer([TaskAnswer(number: number, error: refusal)], now: Sample.instant)
    #expect(try await commander.answers(to: [number]).map(\.error) == [refusal])
    #expect(try await commander.withdraw([number]).count == 1)
    #expect(try await commander.answers(to: [number]).isEmpty)
  }

  /// A run may have read the task just before it was removed.
  @Test func theRunnerLearnsOfATaskThatIsRemoved() async throws {
    let store = try await planned()
    _ = try await commanded(store, .remove(deletesFile: false)).get()
    let number = try #require(
      try await store.post(.remove(deletesFile: false), entry.id, of: Sample.scope, .default, now: Sample.instant))
    let batch = try await store.requests(of: Sample.scope, [.default], since: nil, now: Sample.instant)
    #expect(batch?.requests.map(\.number) == [number])
  }

  @Test func requestsOfOtherQueuesAndScopesAndOldOnesAreLeftAlone() async throws {
    let store = try await planned()
    _ = try await store.post([(.pause, entry.id)], now: Sample.instant)
    let batch = { (scope: Scope, queue: String, now: MonotonicInstant) in
      try await store.requests(of: scope, [QueueName(queue)], since: nil, now: now)?.requests.count
    }
    #expect(try await batch(Sample.scope, "default", Sample.instant) == 1)
    #expect(try await batch(Sample.scope, "other", Sample.instant) == 0)
    #expect(try await batch(Scope("other"), "default", Sample.instant) == 0)
    #expect(try await batch(Sample.scope, "default", Sample.instant.advanced(by: 100_000_000_000)) == 0)
    // Made while the reader waited for its turn.
    #expect(try await batch(Sample.scope, "default", Sample.instant.advanced(by: -1_000_000_000)) == 1)
    // Made before the machine was started again.
    #expect(try await batch(Sample.scope, "default", MonotonicInstant(nanoseconds: 5)) == 0)
  }

  @Test(arguments: [
    TaskCommand.pause, .resume, .cancel, .restart, .remove(deletesFile: true), .remove(deletesFile: false),
    .priority(0.1), .reorder(rank: 7), .headers([HeaderField("X-A", "b: c"), HeaderField("Y", "")]),
  ]) func everyCommandComesBackFromItsText(_ command: TaskCommand) {
    #expect(CommandCoding.decode(CommandCoding.encode(command)) == command)
  }

  @Test func standingsAreRememberedUntilTheTaskIsCompleted() async throws {
    let store = try await planned()
    _ = try await commanded(store, .priority(0.9)).get()
    _ = try await commanded(store, .reorder(rank: 3)).get()
    #expect(try await store.standings(of: Sample.scope) == [entry.id: Standing(priority: 0.9, rank: 3)])
    #expect(try await store.taskSnapshots(of: nil).first?.priority == 0.9)
    try await store.update([.published(entry.id, Sample.published(1, size: 5), bytes: 5)], now: Sample.now)
    #expect(try await store.standings(of: Sample.scope).isEmpty)
  }

  @Test func progressIsToldWhileATaskRuns() async throws {
    let store = try await planned()
    let sample = ProgressSample(completed: ByteCount(10), total: ByteCount(40), bytesPerSecond: 5)
    try await store.update([.began(entry.id, attempt: 1), .progress(entry.id, sample)], now: Sample.now)
    #expect(try await store.taskSnapshots(of: nil).first?.lastSample == sample)
    try await store.update([.state(entry.id, .waiting, error: nil)], now: Sample.now)
    #expect(try await store.taskSnapshots(of: nil).first?.lastSample == nil)
  }

  @Test func theLogTellsRunsAndEnds() async throws {
    let store = try await planned()
    try await store.logBeginning(of: Sample.scope, now: Sample.now)
    let error = DLSyncError(
      .httpStatus, "503", hint: "later", .init(isRetryable: true, statusCode: 503, retryAfter: 2.5))
    try await store.update([.state(entry.id, .failed, error: error)], now: Sample.now)
    try await store.update([.published(entry.id, Sample.published(1, size: 5), bytes: 5)], now: Sample.now)
    var end = LogLine(at: Sample.now, kind: .runFinished, scope: Sample.scope)
    end.exitStatus = 1
    end.facts = [(key: "failed", value: "1")]
    try await store.logEnd(end)
    let lines = try await store.log(after: 0, since: nil)
    #expect(lines.map(\.kind) == [.runBegun, .failed, .completed, .runFinished])
    #expect(lines.allSatisfy { $0.run == lines[0].number })
    #expect(lines[1].error == error && lines[1].task == entry.id && lines[1].facts.isEmpty)
    #expect(lines[2].destination == entry.destination.path && lines[2].bytes == ByteCount(5))
    #expect(lines[3].exitStatus == 1 && lines[3].facts.map(\.value) == ["1"])
    #expect(try await store.log(after: lines[2].number, since: nil).count == 1)
    #expect(try await store.log(after: 0, since: Timestamp(seconds: 1_800_000_000)).isEmpty)
  }

  @Test func theLogForgetsWhatIsTooOldOrTooMuch() async throws {
    let store = try await planned()
    try await store.logBeginning(of: Sample.scope, now: Timestamp(seconds: 1_600_000_000))
    try await store.logBeginning(of: Sample.scope, now: Sample.now)
    #expect(try await store.log(after: 0, since: nil).count == 1)
    await store.close()
    try folder.sql("UPDATE sqlite_sequence SET seq = seq + 200000 WHERE name = 'log'")
    try await store.logBeginning(of: Sample.scope, now: Sample.now)
    try await store.logBeginning(of: Sample.scope, now: Sample.now)
    #expect(try await store.log(after: 0, since: nil).count == 2)
  }
}
