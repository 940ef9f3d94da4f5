import DLSyncTestSupport
import Testing

@testable import DLSyncKit

@Suite(.fewAtOnce) struct UpdateTests {
  let scene: LibraryScene

  init() throws { scene = try LibraryScene() }

  @Test func updatesTellEveryState() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let updates = queue.updates
    let task = try await queue.download(scene.file("a.txt"))
    var states: [TaskState] = []
    for await update in updates {
      switch update {
      case .state(let id, let state, _):
        #expect(id == task.id)
        states.append(state)
      case .progress: break
      case .finished: states.append(.removed)
      }
      if case .finished = update { break }
    }
    #expect(states == [.waiting, .running, .verifying, .publishing, .completed, .removed])
    await manager.close()
  }

  /// What the first reader left is told to the second.
  @Test func aSecondReaderGoesOnWhereTheFirstStopped() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let updates = queue.updates
    try await queue.download(scene.file("a.txt")).waitUntilFinished()
    try await queue.waitUntilFinished()
    var states: [TaskState] = []
    for await update in updates {
      if case .state(_, let state, _) = update { states.append(state) }
      break
    }
    for await update in updates {
      if case .state(_, let state, _) = update { states.append(state) }
      if case .finished = update { break }
    }
    #expect(states == [.waiting, .running, .verifying, .publishing, .completed])
    await manager.close()
  }

  @Test func thePastIsNotTold() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    try await queue.download(scene.file("a.txt")).waitUntilFinished()
    let updates = queue.updates
    let task = try await queue.download(scene.file("b.txt"))
    try await task.waitUntilFinished()
    for await update in updates {
      if case .state(let id, _, _) = update { #expect(id == task.id) }
      if case .finished = update { break }
    }
    await manager.close()
  }

  @Test func theUpdatesOfATaskEndWithIt() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.progressInterval = .milliseconds(100) }
    let task = try await queue.download(
      scene.file("a.bin", .file(payload(count: 100_000)).paced(bytesPerSecond: 200_000)))
    var last: TaskState?
    var samples: [ProgressSample] = []
    for await update in task.updates {
      switch update {
      case .state(_, let state, _): last = state
      case .progress(_, let sample): samples.append(sample)
      case .finished: Issue.record("a task's updates tell of no other")
      }
    }
    #expect(last == .completed)
    #expect(!samples.isEmpty)
    // A sample may come before the server's answer.
    #expect(samples.compactMap(\.total).allSatisfy { $0 == ByteCount(100_000) })
    await manager.close()
  }

  @Test func completionComesOnceForEachTimeThatAllWorkEnds() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let updates = queue.updates
    let failing = try await queue.download(
      scene.file("a.txt").serving(scene.origin, "/a.txt", [.status(404), .file([1])]))
    _ = await code { try await failing.waitUntilFinished() }
    try await queue.waitUntilFinished()
    try await failing.resume()
    try await failing.waitUntilFinished()
    try await queue.waitUntilFinished()
    await manager.close()
    var count = 0
    for await update in updates { if case .finished = update { count += 1 } }
    #expect(count == 2)
  }

  @Test func aSlowReaderGetsTheLatestProgress() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.progressInterval = .milliseconds(100) }
    let updates = queue.updates
    let task = try await queue.download(
      scene.file("a.bin", .file(payload(count: 200_000)).paced(bytesPerSecond: 200_000)))
    try await task.waitUntilFinished()
    try await queue.waitUntilFinished()
    var samples = 0
    for await update in updates {
      if case .progress = update { samples += 1 }
      if case .finished = update { break }
    }
    #expect(samples <= 2)
    await manager.close()
  }

  @Test func aDroppedHandleEndsItsSubscriptionAndNothingElse() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await queue.download(scene.file("a", .file(payload(count: 60_000)).paced(bytesPerSecond: 200_000)))
    weak var box: UpdateBox?
    weak var own: UpdateBox?
    do {
      let (updates, its) = (queue.updates, task.updates)
      (box, own) = (updates.subscription.box, its.subscription.box)
      var iterator = updates.makeAsyncIterator()
      #expect(await iterator.next() != nil)
      #expect(box != nil && own != nil)
    }
    #expect(box == nil && own == nil)
    try await task.waitUntilFinished()
    await manager.close()
  }

  /// Each is told once, and a reader of one is told of no other.
  @Test func readersOfManyTasksAreEachToldOfTheirOwn() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    try await queue.updateConfiguration { $0.concurrency = 4 }
    let first = try await queue.download(scene.slowFile("first"))
    let tasks = try await queue.downloadMany((0..<20).map { try scene.file("\($0)") }).map { try $0.get() }
    await withTaskGroup { group in
      for task in tasks {
        let updates = task.updates
        group.addTask {
          var last = try? await task.snapshot().state
          for await case .state(let id, let state, _) in updates {
            #expect(id == task.id)
            last = state
          }
          #expect(last == .completed)
        }
      }
    }
    try await first.cancel()
    await manager.close()
  }

  @Test func closingEndsUpdates() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let reading = Task { for await _ in queue.updates {} }
    await manager.close()
    await reading.value
    #expect(await code { try await queue.snapshot() } == .interrupted)
  }
}
