import DLSyncDisk
import DLSyncKit
import DLSyncTestSupport
import DLSyncThreading
import Testing

@Suite(.fewAtOnce) struct QueueTests {
  let scene: LibraryScene

  init() throws { scene = try LibraryScene() }

  @Test func leftOutSettingsAreTheRecordedOnes() async throws {
    var manager = scene.manager()
    _ = try await manager.open(queue: "q") {
      $0.concurrency = 7
      $0.rate = ByteCount(1 << 20)
    }
    await manager.close()
    manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.concurrency = 7 }
    #expect(await queue.configuration.rate == ByteCount(1 << 20))
    await manager.close()
  }

  @Test func anExplicitDifferenceConflicts() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.concurrency = 7 }
    let again = await code { try await manager.open(queue: "q") { $0.concurrency = 3 } }
    #expect(again == .configurationConflict)
    await queue.close()
    let later = await code { try await manager.open(queue: "q") { $0.concurrency = 3 } }
    #expect(later == .configurationConflict)
    await manager.close()
  }

  @Test func aHostThatARedirectLedToIsLeftAloneAndNoOther() async throws {
    let origin = scene.origin
    origin.serve("/first", .redirect(to: origin.localhostURL("/busy")))
    origin.serve("/busy", [.status(429).with("Retry-After", "1"), .file([1])])
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.concurrency = 1 }
    origin.serve("/same", .file([2]))
    origin.serve("/other", .file([3]))
    try await queue.downloadMany([
      DownloadRequest(origin.url("/first"), to: scene.folder("out/first")),
      DownloadRequest(origin.localhostURL("/same"), to: scene.folder("out/same")),
      DownloadRequest(origin.url("/other"), to: scene.folder("out/other")),
    ])
    try await queue.waitUntilFinished()
    let refused = try #require(origin.requests("/busy").first?.time)
    let same = try #require(origin.requests("/same").first?.time).seconds(since: refused)
    let other = try #require(origin.requests("/other").first?.time).seconds(since: refused)
    #expect(same >= 0.9 && other < 0.9, "\(same) s, \(other) s")
    await manager.close()
  }

  @Test func valuesOutOfTheirRangeAreRefused() async throws {
    let manager = scene.manager()
    for change in [
      { $0.concurrency = 0 }, { $0.connectionsPerFile = 17 }, { $0.chunkSize = ByteCount(1) }, { $0.rate = .zero },
      { $0.progressInterval = .seconds(60) }, { $0.retry.maxAttempts = 101 }, { $0.timeouts.connect = .zero },
      { $0.timeouts.resource = .seconds(Int64.max) }, { $0.retry.maxDelay = .seconds(Int64.max) },
      { $0.retry.baseDelay = .seconds(-1) }, { $0.retry.statusCodes = [503, 200] },
      { $0.network.proxy = .url("no proxy") },
    ] as [@Sendable (inout QueueConfiguration) -> Void] {
      #expect(await code { try await manager.open(queue: "q", configuration: change) } == .usage)
    }
    for name in ["", "a\nb", "\u{7f}"] { #expect(await code { try await manager.open(queue: name) } == .usage) }
    _ = try await manager.open(queue: "q") { ($0.retry.baseDelay, $0.retry.maxDelay) = (.zero, .zero) }
    await manager.close()
  }

  @Test func someSettingsChangeWhileFilesRun() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.concurrency = 1 }
    let tasks = try await queue.downloadMany([scene.slowFile("a"), scene.slowFile("b")]).map { try $0.get() }
    #expect(try await tasks[0].isIn(.running))
    #expect(try await tasks[1].state == .waiting)
    let change = await code { try await queue.updateConfiguration { $0.rate = ByteCount(1 << 20) } }
    #expect(change == .configurationConflict)
    try await queue.updateConfiguration { $0.concurrency = 2 }
    #expect(try await tasks[1].isIn(.running))
    try await queue.suspendAll()
    try await queue.updateConfiguration { $0.rate = ByteCount(1 << 20) }
    await manager.close()
  }

  /// Each of those that may change at any time, and of those that may not while files run.
  @Test func everySettingChangesWhenItMay() async throws {
    let free: [@Sendable (inout QueueConfiguration) -> Void] = [
      { $0.concurrency = 2 }, { $0.retry.maxAttempts = 7 }, { $0.retry.baseDelay = .seconds(2) },
      { $0.retry.maxDelay = .seconds(9) }, { $0.retry.statusCodes = [503] }, { $0.progressInterval = .seconds(1) },
    ]
    let fixed: [@Sendable (inout QueueConfiguration) -> Void] = [
      { $0.mode = .background }, { $0.connectionsPerFile = 2 }, { $0.connectionsPerHost = 3 },
      { $0.chunkSize = ByteCount(64 << 10) }, { $0.rate = ByteCount(1 << 20) }, { $0.timeouts.connect = .seconds(9) },
      { $0.timeouts.request = .seconds(9) }, { $0.timeouts.resource = .seconds(900) },
      { $0.network.ipVersion = .v4 }, { $0.network.proxy = QueueConfiguration.Network.Proxy.none },
      { $0.tls.minVersion = .v1_3 },
    ]
    var manager = scene.manager()
    var queue = try await manager.open(queue: "q") { $0.concurrency = 1 }
    let task = try await queue.download(scene.slowFile("a"))
    #expect(try await task.isIn(.running))
    for change in free { try await queue.updateConfiguration(change) }
    for change in fixed {
      #expect(await code { try await queue.updateConfiguration(change) } == .configurationConflict)
    }
    try await task.suspend()
    for change in fixed { try await queue.updateConfiguration(change) }
    var expected = QueueConfiguration()
    for change in free + fixed { change(&expected) }
    #expect(await queue.configuration == expected)
    // A change is recorded: whoever opens the queue next has it, and agrees with it.
    await manager.close()
    manager = scene.manager()
    queue = try await manager.open(queue: "q") { for change in free + fixed { change(&$0) } }
    #expect(await queue.configuration == expected)
    await manager.close()
  }

  @Test func aQueueIsOpenInOneManagerAtATime() async throws {
    let first = scene.manager()
    let queue = try await first.open(queue: "q")
    let second = scene.manager()
    #expect(await code { try await second.open(queue: "q") } == .stateLocked)
    await queue.close()
    _ = try await second.open(queue: "q")
    await first.close()
    await second.close()
  }

  @Test func droppedHandlesGiveTheQueueUpWhenItRests() async throws {
    do {
      let queue = try await scene.manager().open(queue: "q")
      let request = try scene.file("a.txt", .file(payload(count: 100_000)).paced(bytesPerSecond: 200_000))
      try await queue.download(request)
    }
    let other = scene.manager()
    #expect(await eventually { await code { try await other.open(queue: "q") } == nil })
    // The transfer went on without a handle.
    let task = try #require(try await other.open(queue: "q").tasks().first)
    #expect(try await task.state == .completed)
    await other.close()
  }

  @Test func operationsOnAllTellOfEachTask() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.concurrency = 1 }
    let done = try await queue.download(scene.file("done"))
    try await done.waitUntilFinished()
    let open = try await queue.downloadMany([scene.slowFile("a"), scene.slowFile("b")]).map { try $0.get().id }
    let suspended = try await queue.suspendAll()
    #expect(suspended.map(\.id) == open)
    #expect(suspended.allSatisfy { $0.error == nil })
    #expect(try await queue.resumeAll().count == 2)
    #expect(try await queue.cancelAll().map(\.id) == open)
    #expect(try await queue.snapshot().canceledCount == 2)
    #expect(try await queue.removeAll(deleteFile: true).count == 3)
    #expect(try await queue.tasks().isEmpty)
    #expect(scene.text("done") == nil)
    await manager.close()
  }

  @Test func orderAndPriorityDecideWhoGoesFirst() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.concurrency = 1 }
    let first = try await queue.download(scene.slowFile("first"))
    let rest = try await queue.downloadMany(["a", "b", "c"].map { try scene.file($0) }).map { try $0.get() }
    #expect(await code { try await queue.reorder(rest.map(\.id)) } == .usage)
    #expect(try await first.isIn(.running))
    let order = [rest[2], rest[0], rest[1], first].map(\.id)
    #expect(try await queue.reorder(order).allSatisfy { $0.error == nil })
    try await rest[1].setPriority(0.9)
    try await first.cancel()
    try await queue.waitUntilFinished()
    #expect(scene.origin.requests().map(\.path).suffix(3) == ["/b", "/c", "/a"])
    await manager.close()
  }

  @Test func theCacheGivesEqualBytesWithoutATransfer() async throws {
    let bytes = payload(count: 300_000)
    let manager = scene.manager(cache: true)
    let queue = try await manager.open(queue: "q")
    var first = try scene.file("a.bin", .file(bytes))
    first.checksums = [bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.sha256]) }[.sha256]!]
    // The run goes on after the first one.
    let slow = try await queue.download(scene.slowFile("slow.bin"))
    try await queue.download(first).waitUntilFinished()
    var second = try scene.file("b.bin", .status(404))
    second.checksums = first.checksums
    try await queue.download(second).waitUntilFinished()
    #expect(scene.folder.read("out/b.bin") == bytes)
    #expect(scene.origin.requests("/b.bin").isEmpty)
    #expect(try await slow.state == .running)
    #expect(try await queue.clearCache().cached.bytes == ByteCount(300_000))
    #expect(try await queue.cacheInfo().cached.count == 0)
    await manager.close()
  }

  /// Of the same queue, of another, and of another program on the same state.
  @Test func bytesThatATaskHasAreCopied() async throws {
    let bytes = payload(count: 200_000)
    let digest = bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.sha256]) }[.sha256]!
    let (manager, other) = (scene.manager(), scene.manager("others"))
    let queue = try await manager.open(queue: "q")
    var first = try scene.file("first", .file(bytes))
    first.checksums = [digest]
    try await queue.download(first).waitUntilFinished()
    let queues = [queue, try await manager.open(queue: "r"), try await other.open(queue: "q")]
    for (number, queue) in queues.enumerated() {
      var again = try scene.file("again-\(number)", .status(404))
      again.checksums = [digest]
      try await queue.download(again).waitUntilFinished()
      #expect(scene.folder.read("out/again-\(number)") == bytes)
    }
    #expect(scene.origin.requests().count == 1)
    await manager.close()
    await other.close()
  }

  @Test func clearingLeavesWhatUnfinishedTasksGoOnWith() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.chunkSize = ByteCount(64 << 10) }
    let task = try await queue.download(scene.slowFile("a.bin"))
    #expect(try await eventually { try await task.snapshot().confirmedChunks ?? 0 > 0 })
    try await task.suspend()
    #expect(try await queue.clearCache().partial.count == 0)
    #expect(try await queue.cacheInfo().partial.count == 1)
    try await task.cancel()
    #expect(try await queue.cacheInfo().partial.count == 0)
    await manager.close()
  }

  /// In a process of its own: the places are the whole process's, and other tests have queues open, too.
  @Test func sixtyFourQueuesAreOpenAtMost() async throws {
    await #expect(processExitsWith: .success) {
      let scene = try LibraryScene()
      let (manager, other) = (scene.manager(), scene.manager("others"))
      for number in 0..<63 { _ = try await manager.open(queue: "q\(number)") }
      let last = try await other.open(queue: "last")
      let refusal = await code { try await manager.open(queue: "one more") }
      precondition(refusal == .queueLimitExceeded, "\(String(describing: refusal))")
      // One that is open needs no place, and a place is free again when its queue is closed.
      _ = try await manager.open(queue: "q0")
      await last.close()
      _ = try await manager.open(queue: "one more")
      await manager.close()
      await other.close()
    }
  }
}
