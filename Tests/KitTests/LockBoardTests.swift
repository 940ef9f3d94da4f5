import DLSyncModel
import Testing

@testable import DLSyncKit

@Suite struct LockBoardTests {
  private func manifest(_ count: Int) throws -> Manifest {
    let files = try (0..<count).map { number in
      FileEntry(
        scope: Scope("s"), url: try SourceURL("http://h/\(number)"),
        destination: try Destination("\(number)", root: "/root"), queue: .default)
    }
    return Manifest(
      scope: Scope("s"), source: "m.yaml", root: "/root", queues: [QueueDeclaration(.default, QueueConfiguration())],
      files: files)
  }

  private func line(_ entry: FileEntry) -> ManifestLock.Line {
    ManifestLock.Line(
      entry, as: entry.destination.relativePath, Digest(.sha256, bytes: Array(repeating: 1, count: 32))!, 5, nil)
  }

  @Test func whatHasNoLineAndNoTroubleIsWanted() throws {
    let manifest = try manifest(4)
    let old = ManifestLock([line(manifest.files[2])])
    var board = LockBoard(manifest, old, LockOptions())
    #expect(board.wanted == [0, 1, 3])
    board.take(1, line(manifest.files[1]))
    board.fail(3, DLSyncError(.httpStatus, "gone"))
    #expect(board.wanted == [0])
    #expect(board.lock.lines.map(\.destination) == ["1", "2"])
    #expect(board.files.map(\.change) == [.failed, .added, .kept, .failed])
  }

  @Test func linesOfManyFilesCostNoMoreForEach() throws {
    let manifest = try manifest(30_000)
    var board = LockBoard(manifest, nil, LockOptions())
    let lines = manifest.files.map(line)
    // Quadratic, this would take a minute.
    let time = ContinuousClock().measure {
      for index in board.wanted { board.take(index, lines[index]) }
    }
    #expect(time < .seconds(3) && board.wanted.isEmpty, "\(time)")
  }
}
