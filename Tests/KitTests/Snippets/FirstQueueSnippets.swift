import DLSyncKit

// Every piece of Swift in the library's documentation stands in this folder, or in examples/embedding, where it is
// compiled. `SnippetTests` compares.

/// Of "Your first queue".
enum FirstQueueSnippets {
  static func ask(_ queue: DownloadQueue, checksum: String) async throws -> DownloadTask {
    var request = try DownloadRequest("https://downloads.example.org/model.bin", to: "/srv/models/model.bin")
    request.checksums = [Digest(.sha256, hex: checksum)!]
    let task = try await queue.download(request)
    return task
  }

  static func wait(_ task: DownloadTask) async throws -> String {
    let path = try await task.waitUntilFinished()
    return path
  }

  static func control(_ task: DownloadTask) async throws {
    try await task.suspend()
    try await task.setPriority(0.9)
    try await task.resume()
  }

  static func suspendAll(_ queue: DownloadQueue) async throws {
    for (id, error) in try await queue.suspendAll() where error != nil { print("\(id) goes on: \(error!.message)") }
  }

  static func list(_ queue: DownloadQueue) async throws {
    for task in try await queue.tasks() {
      let snapshot = try await task.snapshot()
      print(task.id, snapshot.state, snapshot.destination)
    }
  }
}

/// Of doc comments and the README.
enum ReferenceSnippets {
  static func manager() async throws {
    let manager = DownloadManager(stateFolder: "/var/lib/example/state")
    let queue = try await manager.open(queue: "models")
    let task = try await queue.download(
      DownloadRequest("https://downloads.example.org/model.bin", to: "/srv/models/model.bin"))
    print("fetched", try await task.waitUntilFinished())
    await manager.close()
  }

  static func open(_ manager: DownloadManager) async throws {
    let queue = try await manager.open(queue: "models") { $0.concurrency = 6 }
    _ = queue
  }

  static func change(_ queue: DownloadQueue) async throws {
    try await queue.updateConfiguration { $0.concurrency = 8 }
  }

  static func updates(_ queue: DownloadQueue) async throws {
    for await update in queue.updates {
      if case .finished = update { break }
    }
  }
}
