import DLSyncModel
import Glibc
import Testing

@testable import DLSyncStore

@Suite struct ConcurrencyTests {
  let folder = StateFolder()

  @Test func twelveFirstOpensAtOnceAllSucceed() async throws {
    for round in 0..<10 {
      let folder = StateFolder()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<12 {
          group.addTask {
            let scope = Scope("s\(number)")
            let entry = Sample.entry("f\(number)", scope: scope)
            let store = try await folder.open()
            try await store.record(Sample.plan([Sample.download(entry)], scope: scope), now: Sample.now)
            try await store.update([.published(entry.id, Sample.published(1), bytes: 5)], now: Sample.now)
            #expect(try await store.state(of: scope).tasks.count == 1)
            await store.close()
          }
        }
        try await group.waitForAll()
      }
      let tasks = try await folder.open(.read).taskSnapshots(of: nil)
      #expect(tasks.count == 12, "round \(round)")
      #expect(tasks.allSatisfy { $0.state == .completed }, "round \(round)")
    }
  }

  @Test func readersSeeWholeTransactionsWhileOthersWrite() async throws {
    let entries = (0..<30).map { Sample.entry("f\($0)") }
    let writer = try await folder.open()
    try await writer.record(Sample.plan(entries.map { Sample.download($0) }), now: Sample.now)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 0..<100 {
          let state: TaskState = round.isMultiple(of: 2) ? .running : .waiting
          try await writer.update(entries.map { .state($0.id, state, error: nil) }, now: Sample.now)
          if round % 10 == 9 { await writer.close() }
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<100 {
            let states = try await folder.open(.read).state(of: Sample.scope).tasks.map(\.state)
            #expect(states.count == 30 && Set(states).count == 1)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aLockThatIsHeldForAWhileIsWaitedFor() async throws {
    let store = try await folder.open()
    let release = try hold(for: 300_000)
    try await store.record(Sample.plan([Sample.download(Sample.entry("a"))]), now: Sample.now)
    release.join()
    #expect(try await store.state(of: Sample.scope).tasks.count == 1)
  }

  /// A checkpoint that waited for readers would hold the writers' lock meanwhile.
  @Test func emptyingTheLogWaitsForNoReader() async throws {
    let store = try await folder.open()
    try await store.record(Sample.plan([Sample.download(Sample.entry("a"))]), now: Sample.now)
    let reader = try Connection(folder.database, .readOnly, patience: .zero)
    try reader.execute("BEGIN; SELECT * FROM task")
    try await store.record(Sample.plan([Sample.download(Sample.entry("b"))]), now: Sample.now)
    let began = ContinuousClock.now
    #expect(try await !store.purge())
    #expect(ContinuousClock.now - began < .seconds(5))
    try reader.execute("COMMIT")
    #expect(try await store.purge())
    #expect(StateFiles.stamp(folder.database + "-wal")?.size == 0)
  }

  @Test func aLockThatIsHeldForTooLongIsAnError() async throws {
    try await folder.open().record(Sample.plan([]), now: Sample.now)
    let holder = try Connection(folder.database, .readWrite, patience: .zero)
    try holder.execute("BEGIN EXCLUSIVE")
    let store = try await folder.open(patience: .milliseconds(200))
    #expect(try await store.state(of: Sample.scope).tasks.isEmpty, "reading goes on")
    let error = await #expect(throws: DLSyncError.self) {
      try await store.record(Sample.plan([Sample.download(Sample.entry("a"))]), now: Sample.now)
    }
    #expect(error?.code == .stateLocked)
    #expect(error?.message.contains(folder.database) == true)
    try holder.execute("ROLLBACK")
    try await store.record(Sample.plan([Sample.download(Sample.entry("a"))]), now: Sample.now)
    #expect(try await store.state(of: Sample.scope).tasks.count == 1)
  }

  /// Holds the database from now on, for so many microseconds, on a thread of its own.
  private func hold(for time: UInt32) throws -> Holder {
    let connection = try Connection(folder.database, .readWrite, patience: .zero)
    try connection.execute("BEGIN EXCLUSIVE")
    return Holder(connection, time)
  }
}

/// A thread that gives a lock back after a while. Plain, because it blocks.
private struct Holder {
  private final class Work {
    let connection: Connection
    let time: UInt32
    init(_ connection: Connection, _ time: UInt32) {
      self.connection = connection
      self.time = time
    }
  }

  private var thread = pthread_t()

  init(_ connection: Connection, _ time: UInt32) {
    let work = Unmanaged.passRetained(Work(connection, time)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { argument in
        let work = Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue()
        usleep(work.time)
        try? work.connection.execute("ROLLBACK")
        return nil
      }, work)
    precondition(status == 0, "a thread could not be started: errno \(status)")
  }

  func join() { pthread_join(thread, nil) }
}
