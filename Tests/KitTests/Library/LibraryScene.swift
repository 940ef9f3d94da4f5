import DLSyncKit
import DLSyncTestSupport
import Testing

/// A folder for state and files, a server, and managers on them.
final class LibraryScene: Sendable {
  let folder: TemporaryFolder
  let origin: Origin
  private let state: String

  init() throws {
    folder = try TemporaryFolder("library")
    origin = try Origin()
    state = folder("state")
  }

  func manager(_ scope: String = "tests", cache: Bool = false) -> DownloadManager {
    DownloadManager(stateFolder: state, scope: Scope(scope), cacheFolder: cache ? folder("cache") : nil)
  }

  /// Serves bytes and asks for them.
  func file(_ name: String, _ script: Script? = nil) throws -> DownloadRequest {
    try DownloadRequest(
      origin.serve("/" + name, script ?? .file(Array("bytes of \(name)".utf8))), to: folder("out/" + name))
  }

  /// A file that takes longer than any test.
  func slowFile(_ name: String) throws -> DownloadRequest {
    try file(name, .file(payload(count: 4 << 20)).paced(bytesPerSecond: 128 << 10))
  }

  func text(_ name: String) -> String? { folder.read("out/" + name).map { String(decoding: $0, as: UTF8.self) } }
}

/// Waits until something is so; false when that takes more than some seconds.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
  for _ in 0..<1000 {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return false
}

/// The code of the error that the body throws; nil where it throws none.
func code<Result>(_ body: () async throws -> Result) async -> ErrorCode? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? DLSyncError)?.code ?? .internal
  }
}

extension DownloadTask {
  var state: TaskState {
    get async throws(DLSyncError) { try await snapshot().state }
  }

  func isIn(_ state: TaskState) async throws -> Bool {
    try await eventually { try await self.state == state }
  }
}
