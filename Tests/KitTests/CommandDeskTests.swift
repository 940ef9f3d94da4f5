import DLSyncDisk
import DLSyncModel
import DLSyncThreading
import Testing

@testable import DLSyncKit
@testable import DLSyncStore

@Suite struct CommandDeskTests {
  /// A command that found the queue without a process takes back what was asked before; meanwhile another process may have
  /// begun to run it.
  @Test func aRequestThatWasTakenBackIsMadeAgain() async throws {
    let scene = try LibraryScene()
    let manager = scene.manager("tests")
    let queue = try await manager.open(queue: "q") { $0.mode = .background }
    let id = try await queue.download(try scene.slowFile("a")).id
    let task = try #require(try await manager.workspace.status(of: []).tasks.first { $0.id == id })
    await manager.close()
    let workspace = manager.workspace
    let store = try #require(try await Store.open(folder: workspace.stateFolder, access: .write))
    let runner = try #require(try await Store.open(folder: workspace.stateFolder, access: .write))
    let lock = try QueueLock.take(
      folder: workspace.locksFolder, name: QueueLock.name(scope: task.scope, queue: task.queue))
    defer { lock.release() }
    func asked() async throws -> [TaskRequest] {
      try await runner.requests(of: task.scope, [task.queue], since: nil, now: .now)?.requests ?? []
    }
    let dispatch = CommandDispatch.byLocks(in: workspace.locksFolder, store)
    async let results = dispatch.carryOut([CommandOrder(task: task, command: .pause, isNamed: true)])
    #expect(try await eventually { try await asked().count == 1 })
    let first = try #require(try await asked().first)
    try await runner.withdrawRequests(of: [id], before: first.number)
    #expect(try await asked().map(\.number) == [first.number], "it came no earlier")
    try await runner.withdrawRequests(of: [id])
    #expect(try await eventually { try await asked().first.map { $0.number != first.number } == true })
    let second = try #require(try await asked().first)
    try await runner.answer([TaskAnswer(number: second.number, error: nil)], now: .now)
    #expect(try await results.map(\.error) == [nil])
  }

  /// The attempt that a request waits for may end while the requests are being read again.
  @Test func aRequestIsObeyedOnceHoweverLateItsAnswerIsWritten() {
    var desk = CommandDesk()
    desk.waiting[3] = [7]
    #expect(desk.isUnderWay(7))
    desk.answerWaiting(for: 3)
    #expect(desk.isUnderWay(7) && !desk.isIdle)
    let request = TaskRequest(number: 8, task: TaskID(value: 1), command: .priority(0.3))
    desk.forRecord.append(request)
    desk.answer(TaskRequest(number: 9, task: TaskID(value: 2), command: .resume))
    #expect(desk.isUnderWay(8) && desk.isUnderWay(9) && !desk.isUnderWay(10))
  }

  /// A record that takes no answer for a moment.
  @Test func whatCouldNotBeAnsweredIsCarriedOutOnce() async throws {
    let scene = try LibraryScene()
    let manager = scene.manager("tests")
    let queue = try await manager.open(queue: "q") { $0.mode = .background }
    let id = try await queue.download(try scene.slowFile("a")).id
    let task = try #require(try await manager.workspace.status(of: []).tasks.first { $0.id == id })
    await manager.close()
    let store = try #require(try await Store.open(folder: manager.workspace.stateFolder, access: .write))
    let desk = RecordDesk(store: store, scope: task.scope, queues: [task.queue])
    let number = try #require(try await store.post([(.pause, id)], now: .now)[0])
    try await store.execute("CREATE TRIGGER full BEFORE UPDATE ON request BEGIN SELECT RAISE(ABORT, 'full'); END")
    await #expect(throws: DLSyncError.self) { try await desk.look() }
    try await store.execute("DROP TRIGGER full")
    try await desk.look()
    let answers = try await store.answers(to: [number])
    #expect(answers.map(\.error) == [nil])
  }
}

extension Store {
  fileprivate func execute(_ sql: StaticString) throws {
    try writing { (connection) throws(StoreFailure) in try connection.statement(sql).run() }
  }
}
