import DLSyncKit
import DLSyncTestSupport
import Testing

@Suite(.fewAtOnce) struct DownloadTests {
  let scene: LibraryScene

  init() throws { scene = try LibraryScene() }

  @Test func aPlaceThatIsNoneHereIsRefused() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    for place in ["s3://bucket/a", "webdav://host/", "~/a", "~"] {
      let request = try DownloadRequest(scene.origin.url("/a"), to: place)
      #expect(await code { try await queue.download(request) } == .usage, "\(place)")
    }
    await manager.close()
  }

  @Test func aDownloadIsPublishedWhole() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await queue.download(scene.file("a.txt"))
    #expect(try await task.waitUntilFinished() == scene.folder("out/a.txt"))
    #expect(scene.text("a.txt") == "bytes of a.txt")
    let snapshot = try await task.snapshot()
    #expect(snapshot.state == .completed)
    #expect(snapshot.completedBytes == snapshot.totalBytes)
    #expect(try await task.validateFile() == .intact)
    #expect(try await queue.snapshot().completedCount == 1)
    await manager.close()
  }

  @Test func withoutDestinationTheFileGoesIntoTheStore() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    var request = try scene.file("a.txt")
    request.destination = nil
    let path = try await queue.download(request).waitUntilFinished()
    #expect(path.hasPrefix(scene.folder("state/files/")))
    #expect(path.hasSuffix("/a.txt"))
    await manager.close()
  }

  @Test func equalParametersGiveTheSameTask() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let request = try scene.file("a.txt")
    let first = try await queue.download(request)
    #expect(try await queue.download(request).id == first.id)
    try await first.waitUntilFinished()
    #expect(try await queue.download(request).id == first.id)
    #expect(scene.origin.requests("/a.txt").count == 1)
    await manager.close()
  }

  @Test func otherParametersConflict() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let request = try scene.slowFile("a.bin")
    try await queue.download(request)
    var elsewhere = request
    elsewhere.destination = scene.folder("out/b.bin")
    var checked = request
    checked.checksums = [Digest(.md5, bytes: Array(repeating: 1, count: 16))!]
    var sized = request
    sized.size = ByteCount(3)
    var headed = request
    headed.headers = [HeaderField("X-Test", "1")]
    for other in [elsewhere, checked, sized, headed] {
      #expect(await code { try await queue.download(other) } == .duplicateTaskConflict)
    }
    var urgent = request
    urgent.priority = 1
    try await queue.download(urgent)
    await manager.close()
  }

  @Test func destinationsAreCheckedOverAllQueuesOfTheState() async throws {
    let manager = scene.manager()
    let other = scene.manager("others")
    let queue = try await manager.open(queue: "q")
    let second = try await other.open(queue: "r")
    try await queue.download(scene.slowFile("folder/a.bin"))
    for path in ["folder/a.bin", "folder/a.bin/below", "folder"] {
      var request = try scene.file("other")
      request.destination = scene.folder("out/" + path)
      #expect(await code { try await second.download(request) } == .destinationConflict, "\(path)")
    }
    var request = try scene.file("other")
    request.destination = scene.folder("out/folder/a.bin2")
    try await second.download(request)
    await manager.close()
    await other.close()
  }

  @Test func manyAreCheckedBeforeAnyIsRecorded() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    var wrong = try scene.file("b.txt")
    wrong.priority = 2
    let requests = [try scene.file("a.txt"), wrong]
    #expect(await code { try await queue.downloadMany(requests) } == .usage)
    #expect(try await queue.tasks().isEmpty)
    await manager.close()
  }

  @Test func whatIsNoURLIsRefusedWithoutItsSecrets() throws {
    for (text, word) in [
      ("nonsense", "whole"), ("ftp://h/a", "whole"), ("http://me:secret-word@h/a", "header"), ("http://h/a#b", "#"),
    ] {
      let error = try #require(throws: DLSyncError.self) { try DownloadRequest(text) }
      #expect(error.code == .usage && error.hint?.contains(word) == true, "\(text): \(error)")
      #expect(!error.message.contains("secret-word"))
    }
  }

  @Test func headersThatAreNoneAreRefused() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.mode = .background }
    let task = try await queue.download(scene.slowFile("a.bin"))
    try await task.suspend()
    for header in [
      HeaderField("a b", "1"), HeaderField("X-Test", "1\r\nX-Other: 2"), HeaderField("Range", "bytes=0-1"),
    ] {
      var request = try scene.file("b.bin")
      request.headers = [header]
      #expect(await code { try await queue.download(request) } == .usage, "\(header)")
      #expect(await code { try await task.updateHeaders([header]) } == .usage, "\(header)")
    }
    await manager.close()
  }

  @Test func resultsOfManyStandInTheirOrder() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let first = try scene.file("a.txt")
    var clash = try scene.file("c.txt")
    clash.destination = first.destination
    var twin = first
    twin.headers = [HeaderField("X-Test", "1")]
    let results = try await queue.downloadMany([first, clash, try scene.file("b.txt"), first, twin])
    let codes = results.map { result -> ErrorCode? in
      guard case .failure(let error) = result else { return nil }
      return error.code
    }
    #expect(codes == [nil, .destinationConflict, nil, nil, .duplicateTaskConflict])
    #expect(try results[0].get().id == results[3].get().id)
    try await queue.waitUntilFinished()
    #expect(scene.text("a.txt") != nil && scene.text("b.txt") != nil)
    await manager.close()
  }

  @Test func aFileInTheWayFailsTheTaskAlone() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    try scene.folder.write("mine", to: "out/a.txt")
    let task = try await queue.download(scene.file("a.txt"))
    #expect(await code { try await task.waitUntilFinished() } == .destinationExists)
    #expect(scene.text("a.txt") == "mine")
    await manager.close()
  }

  @Test func failuresAreThrownByTheWait() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await queue.download(scene.file("a.txt", .status(404)))
    #expect(await code { try await task.waitUntilFinished() } == .httpStatus)
    #expect(try await task.snapshot().error?.details.statusCode == 404)
    await manager.close()
  }

  @Test func waitingSurvivesRetriesAndPauses() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q") { $0.retry.baseDelay = .milliseconds(50) }
    let bytes = payload(count: 300_000)
    let task = try await queue.download(
      scene.file("a.bin", nil).serving(
        scene.origin, "/a.bin", [.status(503), .file(bytes).paced(bytesPerSecond: 100_000), .file(bytes)]))
    async let first = task.waitUntilFinished()
    async let second = task.waitUntilFinished()
    #expect(try await task.isIn(.running))
    try await task.suspend()
    #expect(try await task.state == .suspended)
    try await task.resume()
    #expect(try await first == second)
    #expect(scene.folder.read("out/a.bin") == bytes)
    await manager.close()
  }

  @Test func waitingEndsWithTheTask() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let canceled = try await queue.download(scene.slowFile("a.bin"))
    let removed = try await queue.download(scene.slowFile("b.bin"))
    let left = try await queue.download(scene.slowFile("c.bin"))
    async let first = code { try await canceled.waitUntilFinished() }
    async let second = code { try await removed.waitUntilFinished() }
    async let third = code { try await left.waitUntilFinished() }
    #expect(try await removed.isIn(.running))
    try await canceled.cancel()
    try await removed.remove()
    #expect(await first == .canceled)
    #expect(await second == .taskNotFound)
    await manager.close()
    #expect(await third == .interrupted)
  }

  @Test func aCompletedFileThatIsGoneIsTold() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await queue.download(scene.file("a.txt"))
    try await task.waitUntilFinished()
    #expect(scene.folder.remove("out/a.txt"))
    #expect(await code { try await task.waitUntilFinished() } == .fileSystem)
    #expect(try await task.validateFile() == .missing)
    await manager.close()
  }

  @Test func whoKeepsATaskOfAClosedQueueKeepsNoConnection() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await queue.download(scene.file("a.txt"))
    try await task.waitUntilFinished()
    #expect(scene.origin.openConnections > 0)
    await manager.close()
    #expect(await eventually { scene.origin.openConnections == 0 })
    #expect(await code { try await task.snapshot() } == .interrupted)
  }

  @Test func cancellingTheWaitLeavesTheTransfer() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try await queue.download(scene.slowFile("a.bin"))
    let waiting = Task { await code { try await task.waitUntilFinished() } }
    #expect(try await task.isIn(.running))
    waiting.cancel()
    #expect(await waiting.value == .interrupted)
    #expect(try await task.state == .running)
    await manager.close()
  }
}

extension DownloadRequest {
  /// The same request, answered by other scripts.
  func serving(_ origin: Origin, _ path: String, _ scripts: [Script]) -> DownloadRequest {
    origin.serve(path, scripts)
    return self
  }
}
