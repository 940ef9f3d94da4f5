import DLSyncModel
import Testing

@testable import DLSyncStore

@Suite struct ChangeTests {
  let folder = StateFolder()
  let entry = Sample.entry("a", checksums: [Sample.digest(1)])

  private func planned() async throws -> Store {
    let store = try await folder.open()
    try await store.record(Sample.plan([Sample.download(entry)]), now: Sample.now)
    return store
  }

  private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }

  @Test func aWholeLifeIsToldByTheSnapshot() async throws {
    let store = try await planned()
    let waiting = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(waiting.state == .waiting && waiting.createdAt == at(0) && waiting.startedAt == nil)
    #expect(waiting.finalURL == nil && waiting.isResumable == nil && waiting.statusCode == nil)

    try await store.update([.began(entry.id, attempt: 1)], now: at(1))
    try await store.update([.began(entry.id, attempt: 2)], now: at(2))
    let response = ResponseRecord(
      statusCode: 206, finalURL: "https://cdn.example/a",
      headers: [HeaderField("X-Odd", "a: b"), HeaderField("Empty", "")],
      isResumable: true, total: ByteCount(3_000_000), validator: "\"v1\"")
    let pieces = [
      ConfirmedPiece(range: ByteRange(0, 1 << 20), digest: Sample.digest(3), kind: .chained),
      ConfirmedPiece(range: ByteRange(2 << 20, 3_000_000), digest: Sample.digest(4, .sha512), kind: .own),
    ]
    try await store.update([.response(entry.id, response), .confirmed(entry.id, pieces: pieces)], now: at(3))
    let running = try #require(try await store.taskSnapshots(of: [Sample.scope]).first)
    #expect(running.state == .running && running.attempts == 2)
    #expect(running.startedAt == at(1) && running.updatedAt == at(3) && running.finishedAt == nil)
    #expect(running.statusCode == 206 && running.finalURL == "https://cdn.example/a" && running.isResumable == true)
    #expect(running.responseHeaders == response.headers)
    #expect(running.totalBytes == ByteCount(3_000_000))
    #expect(running.completedBytes.bytes == (1 << 20) + 3_000_000 - (2 << 20))
    #expect(running.chunkSize == ByteCount(1 << 20) && running.confirmedChunks == 2)
    #expect(try await store.pieces(of: [entry.id]) == [entry.id: pieces])
    #expect(try await store.responses(of: [entry.id]) == [entry.id: response])

    let file = Sample.published(8, size: 3_000_000)
    try await store.update([.intent(entry.id, file)], now: at(4))
    #expect(try await store.state(of: Sample.scope).tasks.first?.intent == file)
    #expect(try await store.taskSnapshots(of: nil).first?.state == .publishing)
    try await store.update([.published(entry.id, file, bytes: 3_000_000)], now: at(5))
    let done = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(done.state == .completed && done.finishedAt == at(5) && done.fingerprint == file.fingerprint)
    #expect(done.completedBytes == ByteCount(3_000_000) && done.confirmedChunks == 3)
    #expect(done.checksums == [Sample.digest(1)])
    let task = try #require(try await store.state(of: Sample.scope).tasks.first)
    #expect(task.published == file && task.intent == nil && task.confirmedBytes == .zero)
  }

  @Test func anErrorComesBackAsItWas() async throws {
    let store = try await planned()
    let error = DLSyncError(
      .httpStatus, "the server answered 503", hint: "try later",
      .init(isRetryable: true, statusCode: 503, retryAfter: 1.5, underlying: "x"))
    try await store.update([.state(entry.id, .failed, error: error)], now: at(1))
    let failed = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(failed.state == .failed && failed.finishedAt == at(1))
    #expect(failed.error == error)
    // As planning does before a new run.
    try await store.update([.state(entry.id, .waiting, error: nil), .began(entry.id, attempt: 1)], now: at(2))
    let running = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(running.error == nil && running.finishedAt == nil)
  }

  @Test(arguments: TaskState.allCases.filter { $0 != .removed && $0 != .publishing })
  func aProcessThatGoesOnTakesItsIntentBack(state: TaskState) async throws {
    let store = try await planned()
    try await store.update([.intent(entry.id, Sample.published(1))], now: at(1))
    try await store.update([.state(entry.id, state, error: nil)], now: at(1))
    #expect(try await store.state(of: Sample.scope).tasks.first?.intent == nil)
    #expect(try await store.state(of: Sample.scope).tasks.first?.state == state)
  }

  @Test func aShortFileIsToldOfWhenItIsPublished() async throws {
    let store = try await planned()
    let old = ResponseRecord(statusCode: 200, finalURL: "https://h.example/old", validator: "\"v1\"")
    try await store.update([.response(entry.id, old)], now: at(0))
    try await store.update([.intent(entry.id, Sample.published(1), keepsState: true)], now: at(1))
    #expect(try await store.responses(of: [entry.id]).isEmpty, "it is of another file")
    let intended = try #require(try await store.state(of: Sample.scope).tasks.first)
    #expect(intended.state == .waiting && intended.intent == Sample.published(1))
    let response = ResponseRecord(statusCode: 200, finalURL: "https://h.example/", total: ByteCount(7))
    try await store.update(
      [
        .began(entry.id, attempt: 1, at: at(0)), .response(entry.id, response),
        .published(entry.id, Sample.published(1), bytes: 9),
      ], now: at(2))
    let told = try #require(try await store.taskSnapshots(of: nil).first)
    #expect(told.state == .completed && told.attempts == 1)
    #expect(told.startedAt == at(0) && told.finishedAt == at(2) && told.totalBytes == ByteCount(9))
    #expect(try await store.state(of: Sample.scope).tasks.first?.intent == nil)
  }

  @Test func aPieceReplacesTheOneThatBeginsWhereItDoes() async throws {
    let store = try await planned()
    let short = ConfirmedPiece(range: ByteRange(0, 5), digest: Sample.digest(1), kind: .own)
    let long = ConfirmedPiece(range: ByteRange(0, 9), digest: Sample.digest(2), kind: .chained)
    try await store.update([.confirmed(entry.id, pieces: [short])], now: at(1))
    try await store.update([.confirmed(entry.id, pieces: [long])], now: at(1))
    #expect(try await store.pieces(of: [entry.id]) == [entry.id: [long]])
    #expect(try await store.state(of: Sample.scope).tasks.first?.confirmedBytes == ByteCount(9))
    try await store.update([.piecesDropped(entry.id)], now: at(2))
    #expect(try await store.pieces(of: [entry.id]).isEmpty)
    #expect(try await store.state(of: Sample.scope).tasks.first?.confirmedBytes == .zero)
  }

  @Test func whatIsRemovedLeavesNothing() async throws {
    let store = try await planned()
    let piece = ConfirmedPiece(range: ByteRange(0, 5), digest: Sample.digest(1), kind: .own)
    try await store.update(
      [
        .response(entry.id, ResponseRecord(statusCode: 200, finalURL: "https://h.example/")),
        .confirmed(entry.id, pieces: [piece]), .intent(entry.id, Sample.published(1)),
        .state(entry.id, .publishing, error: DLSyncError(.fileSystem, "x")),
      ], now: at(1))
    try await store.remove([entry.id, TaskID(value: 5)], now: Sample.now)
    await store.close()
    let connection = try Connection(folder.database, .readOnly, patience: .zero)
    let rest = """
      SELECT (SELECT count(*) FROM task) + (SELECT count(*) FROM response) + (SELECT count(*) FROM failure)
        + (SELECT count(*) FROM intent) + (SELECT count(*) FROM piece)
      """ as StaticString
    #expect(try connection.integer(rest) == 0)
  }

  /// Also where they share the removal's commit.
  @Test(arguments: [false, true]) func changesOfARemovedTaskAreNoError(isOneCommit: Bool) async throws {
    let store = try await planned()
    let removal: [TaskChange] = [.state(entry.id, .removed, error: nil)]
    if !isOneCommit { try await store.update(removal, now: at(1)) }
    try await store.update(
      (isOneCommit ? removal : []) + [
        .began(entry.id, attempt: 1), .state(entry.id, .failed, error: DLSyncError(.timedOut, "x")),
        .response(entry.id, ResponseRecord(statusCode: 200, finalURL: "https://h.example/")),
        .confirmed(entry.id, pieces: [ConfirmedPiece(range: ByteRange(0, 1), digest: Sample.digest(1), kind: .own)]),
        .piecesDropped(entry.id), .intent(entry.id, Sample.published(1)),
        .published(entry.id, Sample.published(1), bytes: 1), .settled(entry.id, Sample.published(1)),
      ], now: at(2))
    #expect(try await store.taskSnapshots(of: nil).isEmpty)
  }

  @Test func queuesCountTheirTasks() async throws {
    let store = try await folder.open()
    let states: [TaskState?] = [nil, .running, .verifying, .failed, .canceled, .completed, .retrying]
    let entries = states.indices.map { Sample.entry("f\($0)", size: 10) }
    try await store.record(Sample.plan(entries.map { Sample.download($0) }), now: at(0))
    for (entry, state) in zip(entries, states) {
      switch state {
      case nil: break
      case .completed:
        try await store.update([.published(entry.id, Sample.published(1, size: 7), bytes: 7)], now: at(1))
      case let state?: try await store.update([.state(entry.id, state, error: nil)], now: at(1))
      }
    }
    let queue = try #require(try await store.queueSnapshots(of: [Sample.scope]).first)
    #expect(queue.taskCount == 7 && queue.runningCount == 2 && queue.completedCount == 1)
    #expect(queue.failedCount == 1 && queue.canceledCount == 1)
    #expect(queue.totalBytes == ByteCount(67) && queue.completedBytes == ByteCount(7))
    try await store.record(
      Sample.plan(entries.map { Sample.download($0) } + [Sample.download(Sample.entry("unknown"))]), now: at(2))
    #expect(try await store.queueSnapshots(of: nil).first?.totalBytes == nil)
    #expect(try await store.queueSnapshots(of: [Scope("other")]).isEmpty)
    #expect(try await store.taskSnapshots(of: [Scope("other")]).isEmpty)
  }
}
