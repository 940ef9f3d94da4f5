import DLSyncKit
import DLSyncTestSupport
import Testing

@Suite(.fewAtOnce) struct ReattachmentTests {
  let scene: LibraryScene

  init() throws { scene = try LibraryScene() }

  @Test func unfinishedTasksGoOnWithTheirIds() async throws {
    var manager = scene.manager()
    let bytes = payload(count: 8 << 20)
    let request = try scene.file("a.bin").serving(
      scene.origin, "/a.bin", [.file(bytes).paced(bytesPerSecond: 1 << 20), .file(bytes)])
    let id = try await manager.open(queue: "q").download(request).id
    #expect(
      try await eventually { try await manager.open(queue: "q").task(id: id)?.snapshot().confirmedChunks ?? 0 > 0 })
    await manager.close()
    manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try #require(try await queue.tasks().first)
    #expect(task.id == id)
    try await task.waitUntilFinished()
    #expect(scene.folder.read("out/a.bin") == bytes)
    // The second request asked for the rest alone.
    #expect(scene.origin.requests("/a.bin").last?.header("Range") != nil)
    await manager.close()
  }

  @Test func whatWasHeldBackStaysSo() async throws {
    var manager = scene.manager()
    var queue = try await manager.open(queue: "q")
    let tasks = try await queue.downloadMany([scene.slowFile("a"), scene.slowFile("b")]).map { try $0.get() }
    try await tasks[0].suspend()
    try await tasks[1].cancel()
    await manager.close()
    manager = scene.manager()
    queue = try await manager.open(queue: "q")
    #expect(try await queue.tasks().asyncMap { try await $0.state } == [.suspended, .canceled])
    await manager.close()
  }

  @Test func secretsOfForegroundQueuesAreAskedForAgain() async throws {
    var manager = scene.manager()
    var request = try scene.slowFile("a.bin")
    request.headers = [HeaderField("Authorization", "Bearer secret-word")]
    let id = try await manager.open(queue: "q").download(request).id
    await manager.close()
    for name in scene.folder.files(below: "state") where name.hasPrefix("state/state.db") {
      #expect(!String(decoding: scene.folder.read(name) ?? [], as: UTF8.self).contains("secret-word"), "\(name)")
    }
    manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let task = try #require(try await queue.task(id: id))
    let snapshot = try await task.snapshot()
    #expect(snapshot.state == .suspended)
    #expect(snapshot.error?.code == .interrupted)
    scene.origin.serve("/a.bin", .file(payload(count: 1000)))
    #expect(try await queue.download(request).id == id)
    try await task.waitUntilFinished()
    #expect(scene.origin.requests("/a.bin").last?.header("Authorization") == "Bearer secret-word")
    await manager.close()
  }

  @Test func backgroundQueuesGoOnWithTheirHeaders() async throws {
    var manager = scene.manager()
    var request = try scene.slowFile("a.bin")
    request.headers = [HeaderField("Authorization", "Bearer word")]
    let id = try await manager.open(queue: "q") { $0.mode = .background }.download(request).id
    await manager.close()
    scene.origin.serve("/a.bin", .file(payload(count: 1000)))
    manager = scene.manager()
    let task = try #require(try await manager.open(queue: "q").task(id: id))
    try await task.waitUntilFinished()
    #expect(scene.origin.requests("/a.bin").last?.header("Authorization") == "Bearer word")
    await manager.close()
  }

  @Test func headersOfBackgroundTasksCanBeRenewed() async throws {
    let manager = scene.manager()
    var request = try scene.file("a.txt", .status(401))
    request.headers = [HeaderField("Authorization", "Bearer old")]
    let queue = try await manager.open(queue: "q") { $0.mode = .background }
    let task = try await queue.download(request)
    #expect(await code { try await task.waitUntilFinished() } == .authenticationRequired)
    scene.origin.serve("/a.txt", .file([1, 2, 3]))
    try await task.updateHeaders([HeaderField("Authorization", "Bearer new")])
    try await task.resume()
    try await task.waitUntilFinished()
    #expect(scene.origin.requests("/a.txt").last?.header("Authorization") == "Bearer new")
    await manager.close()
  }

  @Test func headersOfForegroundTasksCannotBeRenewed() async throws {
    let manager = scene.manager()
    let task = try await manager.open(queue: "q").download(scene.file("a.txt", .status(401)))
    _ = await code { try await task.waitUntilFinished() }
    #expect(await code { try await task.updateHeaders([]) } == .usage)
    await manager.close()
  }

  @Test func otherProcessesReachAnOpenQueue() async throws {
    let manager = scene.manager()
    let queue = try await manager.open(queue: "q")
    let running = try await queue.download(scene.slowFile("a.bin"))
    #expect(try await running.isIn(.running))
    var selection = TaskSelection(workingFolder: "/")
    selection.names = ["\(running.id)"]
    // A workspace knows nothing of the manager: it speaks as another process does.
    let results = try await manager.workspace.command(.pause, to: selection)
    #expect(results.map(\.error) == [nil])
    #expect(try await running.state == .suspended)
    #expect(try await eventually { try await queue.snapshot().runningCount == 0 })
    // Nothing runs now, and commands are obeyed all the same.
    #expect(try await manager.workspace.command(.resume, to: selection).map(\.error) == [nil])
    #expect(try await running.isIn(.running))
    await manager.close()
  }
}

extension Array {
  func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
