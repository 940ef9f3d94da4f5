import DLSyncDisk
import DLSyncKit
import DLSyncModel
import DLSyncTestSupport
import DLSyncThreading
import Glibc
import Testing

/// What a program asks of one task.
@Suite(.fewAtOnce) struct CommandTests {
  let scene: LibraryScene

  init() throws { scene = try LibraryScene() }

  private func failed(_ queue: DownloadQueue, _ name: String) async throws -> DownloadTask {
    let task = try await queue.download(scene.file(name, .status(404)))
    _ = await code { try await task.waitUntilFinished() }
    return task
  }

  /// What is at the destinations is read before a run begins: seconds of hashing here, terabytes elsewhere.
  @Test func aQueueObeysWhileItReadsFilesForARunThatBegins() async throws {
    try scene.folder.write("", to: "out/hole")
    #expect(truncate(scene.folder("out/hole"), 1 << 30) == 0)
    var hole = try scene.file("hole")
    hole.checksums = [Digest(.sha512, hex: String(repeating: "0", count: 128))!]
    hole.settings.onConflict = .replace
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await queue.download(hole)
    try await Task.sleep(for: .milliseconds(200))
    let begun = MonotonicInstant.now
    let other = try await queue.download(scene.file("other"))
    try await task.suspend()
    try await queue.updateConfiguration { $0.concurrency = 7 }
    #expect(await code { try await queue.updateConfiguration { $0.chunkSize = ByteCount(2 << 20) } } != nil)
    #expect(MonotonicInstant.now.seconds(since: begun) < 1.5)
    try await other.waitUntilFinished()
    #expect(try await task.isIn(.suspended) && scene.origin.requests("/hole").isEmpty)
    #expect(scene.text("other") == "bytes of other")
    await manager.close()
  }

  @Test func commandsOfAStateThatDoesNotTakeThemAreRefused() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let done = try await queue.download(scene.file("done"))
    try await done.waitUntilFinished()
    for command in [
      { try await $0.suspend() }, { try await $0.resume() }, { try await $0.cancel() }, { try await $0.restart() },
      { try await $0.setPriority(0.7) },
    ] as [@Sendable (DownloadTask) async throws -> Void] {
      #expect(await code { try await command(done) } == .usage)
    }
    let running = try await queue.download(scene.slowFile("running"))
    #expect(try await running.isIn(.running))
    #expect(await code { try await running.restart() } == .usage)
    #expect(await code { try await running.validateFile() } == .usage)
    #expect(await code { try await running.setPriority(1.1) } == .usage)
    #expect(try await running.state == .running)
    await manager.close()
  }

  @Test func aRemovedTaskIsNoTaskAnyMore() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let request = try scene.file("a")
    let task = try await queue.download(request)
    try await task.waitUntilFinished()
    try await task.remove()
    #expect(scene.text("a") != nil)
    #expect(await code { try await task.snapshot() } == .taskNotFound)
    #expect(await code { try await task.resume() } == .taskNotFound)
    #expect(await code { try await task.waitUntilFinished() } == .taskNotFound)
    #expect(try await queue.task(id: task.id) == nil)
    #expect(try await queue.task(url: request.url) == nil)
    // The file is not dlsync's any more.
    let again = try await queue.download(request)
    #expect(again.id == task.id)
    #expect(await code { try await again.waitUntilFinished() } == .destinationExists)
    await manager.close()
  }

  @Test func onlyUnchangedFilesAreDeleted() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let tasks = try await queue.downloadMany(["a", "b"].map { try scene.file($0) }).map { try $0.get() }
    try await queue.waitUntilFinished()
    try scene.folder.write("mine by now", to: "out/b")
    try await tasks[0].remove(deleteFile: true)
    #expect(scene.text("a") == nil)
    #expect(await code { try await tasks[1].remove(deleteFile: true) } == .destinationModified)
    #expect(scene.text("b") == "mine by now")
    #expect(try await queue.tasks().isEmpty)
    await manager.close()
  }

  @Test func restartingBeginsWithTheFirstByte() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.chunkSize = ByteCount(64 << 10) }
    let task = try await queue.download(scene.slowFile("a.bin"))
    #expect(try await eventually { try await task.snapshot().confirmedChunks ?? 0 > 0 })
    try await task.suspend()
    scene.origin.serve("/a.bin", .file([1, 2, 3]))
    try await task.restart()
    try await task.waitUntilFinished()
    #expect(scene.origin.requests("/a.bin").last?.header("Range") == nil)
    #expect(scene.folder.read("out/a.bin") == [1, 2, 3])
    // A canceled task, whose partial data is gone, begins only so.
    let canceled = try await queue.download(scene.slowFile("b.bin"))
    #expect(try await canceled.isIn(.running))
    try await canceled.cancel()
    #expect(await code { try await canceled.resume() } == .usage)
    scene.origin.serve("/b.bin", .file([4]))
    try await canceled.restart()
    try await canceled.waitUntilFinished()
    #expect(scene.folder.read("out/b.bin") == [4])
    await manager.close()
  }

  @Test func validationReadsTheFile() async throws {
    let manager = scene.manager()
    let task = try await manager.open(queue: "q").download(scene.file("a"))
    try await task.waitUntilFinished()
    let bytes = Array("bytes of a".utf8)
    let digests = bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.md5, .sha512]) }
    for digest in digests.values { #expect(try await task.validateFile(checksum: digest) == .intact) }
    let other = try #require(Digest(.sha256, bytes: Array(repeating: 0, count: 32)))
    #expect(try await task.validateFile(checksum: other) == .differs)
    try scene.folder.write("bytes of b", to: "out/a")
    #expect(try await task.validateFile() == .differs)
    await manager.close()
  }

  @Test func aTaskIsFoundByItsURLWhateverCredentialsAreInIt() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let request = try scene.file("a")
    let secret = request.url.text + "?token=secret-word"
    let task = try await queue.download(DownloadRequest(secret, to: request.destination))
    #expect(try await queue.task(url: request.url)?.id == task.id)
    #expect(try await queue.task(url: SourceURL(secret))?.id == task.id)
    #expect(try await !task.snapshot().url.contains("secret-word"))
    #expect(try await queue.task(url: SourceURL(scene.origin.url("/b"))) == nil)
    #expect(try await queue.task(id: task.id)?.id == task.id)
    #expect(try await manager.open(queue: "other").task(id: task.id) == nil)
    await manager.close()
  }

  /// Also of tasks that are at their end: those are not begun again by asking.
  @Test func theTaskOfARequestIsGivenInWhateverState() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await failed(queue, "a")
    let request = try scene.file("a")
    #expect(try await queue.download(request).id == task.id)
    #expect(try await task.state == .failed)
    try await task.cancel()
    #expect(try await queue.download(request).state == .canceled)
    await manager.close()
  }

  @Test func operationsOnAllNameTheTasksThatRefuse() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let tasks = try await queue.downloadMany(["a", "b"].map { try scene.file($0) }).map { try $0.get() }
    try await queue.waitUntilFinished()
    try scene.folder.write("mine by now", to: "out/b")
    let outcomes = try await queue.removeAll(deleteFile: true)
    #expect(outcomes.map(\.id) == tasks.map(\.id))
    #expect(outcomes.map(\.error?.code) == [nil, .destinationModified])
    await manager.close()
  }

  @Test func everyMethodOfAClosedQueueIsInterrupted() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await failed(queue, "a")
    await queue.close()
    let request = try scene.file("b")
    for call in [
      { _ = try await queue.download(request) }, { _ = try await queue.downloadMany([request]) },
      { _ = try await queue.tasks() }, { _ = try await queue.task(id: task.id) },
      { _ = try await queue.task(url: request.url) }, { _ = try await queue.snapshot() },
      { _ = try await queue.resumeAll() }, { _ = try await queue.removeAll() }, { _ = try await queue.reorder([]) },
      { _ = try await queue.cacheInfo() }, { _ = try await queue.clearCache() },
      { try await queue.updateConfiguration { $0.concurrency = 2 } }, { try await queue.waitUntilFinished() },
      { _ = try await task.snapshot() }, { try await task.resume() }, { try await task.waitUntilFinished() },
      { _ = try await task.validateFile() },
    ] as [@Sendable () async throws -> Void] {
      #expect(await code { try await call() } == .interrupted)
    }
    for await _ in queue.updates { Issue.record("nothing happens in a closed queue") }
    for await _ in task.updates { Issue.record("nothing happens in a closed queue") }
    await manager.close()
  }
}
