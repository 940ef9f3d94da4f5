import DLSyncModel
import Testing

@testable import DLSyncKit

@Suite struct TaskSelectionTests {
  private static func task(_ path: String, queue: String = "default", scope: String = "m") -> TaskSnapshot {
    TaskSnapshot(
      id: TaskID(scope: Scope(scope), queue: QueueName(queue), destination: path), scope: Scope(scope),
      queue: QueueName(queue), url: "https://h.example\(path)", destination: path, state: .waiting,
      createdAt: Timestamp(seconds: 0))
  }

  private static let tasks = [
    task("/out/a.bin"), task("/out/sub/b.bin"), task("/out/sub/c.txt", queue: "q"), task("/else/a.bin", scope: "n"),
  ]

  private func match(_ names: [String], queues: [String] = [], scopes: [Scope]? = nil) -> TaskSelection.Match {
    var selection = TaskSelection(workingFolder: "/out")
    selection.names = names
    selection.queues = queues
    selection.scopes = scopes
    return selection.match(Self.tasks)
  }

  @Test(
    arguments: [
      (["a.bin"], [0]), (["/else/a.bin"], [3]), (["sub/b.bin"], [1]), (["./sub/../a.bin"], [0]), (["b.bin"], [1]),
      (["../else/a.bin"], [3]),
      (["*.bin"], [0, 1, 3]), (["sub/*"], [1, 2]), (["https://h.example/out/a.bin"], [0]),
      (["https://h.example/out/**"], [0, 1, 2]), (["\(tasks[2].id)"], [2]), (["a.bin", "c.txt", "a.bin"], [0, 2]),
      ([], [0, 1, 2, 3]), (["nothing"], []),
    ] as [([String], [Int])])
  func namesMeanTasks(_ names: [String], _ expected: [Int]) {
    let found = match(names)
    #expect(found.tasks.map(\.destination) == expected.map { Self.tasks[$0].destination })
    #expect(found.unknown.isEmpty == (names != ["nothing"]))
  }

  @Test func namesKeepTheirOrder() {
    var selection = TaskSelection(workingFolder: "/out")
    selection.names = ["sub/b.bin", "a.bin", "https://h.example/out/sub/c.txt", "nothing", "\(Self.tasks[3].id)"]
    let found = selection.tasksByName(Self.tasks)
    #expect(found.map(\.name) == selection.names)
    #expect(
      found.map { $0.tasks.map(\.destination) } == [
        ["/out/sub/b.bin"], ["/out/a.bin"], ["/out/sub/c.txt"], [], ["/else/a.bin"],
      ])
  }

  @Test func queuesAndManifestsNarrow() {
    #expect(match([], queues: ["q"]).tasks.count == 1)
    #expect(match([], scopes: [Scope("n")]).tasks.count == 1)
    #expect(match(["a.bin"], scopes: [Scope("n")]).tasks.map(\.destination) == ["/else/a.bin"])
    #expect(match(["*.bin"], queues: ["q"]).unknown == ["*.bin"])
  }

  @Test func onlyWhatIsNoPatternIsNamed() {
    #expect(match(["*.bin"]).named.isEmpty)
    #expect(match(["a.bin"]).named.count == 1)
  }
}
