import DLSyncTestSupport
import Testing

/// The steps of the durable order, as Sources/DLSyncKit/Checkpoint.swift names them.
private let checkpoints = [
  "planRecorded", "partCreated", "bytesReceived", "verified", "dataFlushed", "intentRecorded", "moved",
  "publishedRecorded",
]

@Suite struct CheckpointTests {
  @Test(arguments: checkpoints, Scene.allCases)
  func aKillAtAnyStepCostsAtMostARepetition(checkpoint: String, scene: Scene) throws {
    let world = try KilledWorld(scene)
    try #require(try world.kill(at: checkpoint))
    try world.finish()
  }

  /// A run that goes on where another was killed may be killed as well.
  @Test(arguments: Scene.allCases)
  func killsInARowCostNoMoreThanOne(scene: Scene) throws {
    let world = try KilledWorld(scene)
    for checkpoint in ["partCreated", "verified", "intentRecorded", "planRecorded", "moved"] {
      try #require(try world.kill(at: checkpoint))
    }
    try world.finish()
  }

  @Test(arguments: Scene.allCases)
  func fromTheMoveOnTheFileIsThere(scene: Scene) throws {
    for checkpoint in ["moved", "publishedRecorded"] {
      let world = try KilledWorld(scene)
      try #require(try world.kill(at: checkpoint))
      #expect(!world.rightFiles().isEmpty)
    }
  }

  @Test func whatAKilledRunPublishedWasItsFirstAttempt() throws {
    let world = try KilledWorld(.group)
    try #require(try world.kill(at: "moved"))
    #expect(try world.sandbox.run("apply", world.manifest).status == 0)
    for task in try world.sandbox.json("status").document["tasks"].array ?? [] {
      #expect(task["attempts"].integer == 1, "\(task)")
      let started = try #require(task["startedAt"].number)
      #expect(try started <= #require(task["finishedAt"].number))
    }
  }

  @Test func everyStepIsTried() throws {
    let path = #filePath.dropLast("Tests/CrashTests/CheckpointTests.swift".count) + "Sources/DLSyncKit/Checkpoint.swift"
    let source = try #require(FileBytes.text(String(path)))
    let lines = source.split(separator: "\n").filter { $0.hasPrefix("  case ") }
    let names = lines.flatMap { $0.dropFirst(7).split(separator: ",").map { $0.filter { $0 != " " } } }
    #expect(names.sorted() == checkpoints.sorted())
  }
}
