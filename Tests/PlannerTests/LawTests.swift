import DLSyncModel
import DLSyncPlanner
import Testing

/// Laws over worlds that are made up from a seed.
@Suite struct LawTests {
  static let seeds: [UInt64] = Array(1...400)

  @Test(arguments: seeds)
  func planningTwiceGivesOnePlan(_ seed: UInt64) {
    let world = World.generated(seed)
    #expect(world.plan().text == world.plan().text, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func planningAfterSuccessGivesOnlyReuse(_ seed: UInt64) {
    let world = World.generated(seed)
    let plan = world.plan()
    let after = world.applying(plan)
    let left = zip(plan.files, after.plan().files).filter { before, now in
      before.action != .conflict && !before.isHeld && now.action != .reuse
    }
    #expect(left.isEmpty, "seed \(seed): \(left.map { "\($0.entry.destination) \($0.decision), then \($1.decision)" })")
  }

  @Test(arguments: seeds)
  func planningAfterSuccessAsksNoQuestionAgain(_ seed: UInt64) {
    let plan = World.generated(seed).plan()
    let after = World.generated(seed).applying(plan)
    let settled = Set(plan.files.filter { $0.action != .conflict && !$0.isHeld && $0.reason != .kept }.map(\.entry.id))
    let asked = after.questions.filter { settled.contains(after.files[$0.entry].id) }
    #expect(asked.isEmpty, "seed \(seed): \(asked.map { after.files[$0.entry].destination })")
  }

  @Test(arguments: seeds)
  func noTwoFilesAreWrittenToOnePlace(_ seed: UInt64) {
    let written = World.generated(seed).plan().files.filter { $0.action != .conflict }.map(\.entry.destination.path)
    #expect(Set(written).count == written.count, "seed \(seed)")
    for path in written {
      #expect(!written.contains { $0.hasPrefix(path + "/") }, "seed \(seed): \(path) is a file and a folder")
    }
  }

  @Test(arguments: seeds)
  func onlyUntouchedFilesOfOursAreReplacedUnasked(_ seed: UInt64) {
    let world = World.generated(seed)
    for file in world.plan().files where file.reason != .replace && !file.isHeld {
      guard file.action == .download || file.reason == .copied, case .file(let identity) = file.basis else { continue }
      let record = world.stored.tasks.last { $0.destination == file.entry.destination.path }
      let index = world.files.firstIndex { $0.destination == file.entry.destination }
      let bytes = index.flatMap { world.bytes[$0] }.map { digest($0) }
      let isOurs = [record?.published, record?.intent].contains { known in
        guard let known else { return false }
        return known.fingerprint == bytes || identity.inode == known.identity.inode
      }
      #expect(isOurs, "seed \(seed): \(file.entry.destination) \(file.decision)")
    }
  }

  @Test(arguments: seeds)
  func selectionNeverChangesADecision(_ seed: UInt64) {
    var world = World.generated(seed)
    let whole = Dictionary(uniqueKeysWithValues: world.plan().files.map { ($0.entry.line, $0) })
    world.options.selection = Selection(patterns: [GlobPattern("**[02468]")])
    for file in world.plan().files {
      let before = whole[file.entry.line]!
      if before.reason == .copied || before.copyOf != nil { continue }  // the source may have been left out
      if file.reason == .copied || file.copyOf != nil || before.action == .download { continue }
      #expect(file.decision == before.decision, "seed \(seed): \(file.entry.destination)")
    }
  }

  @Test(arguments: seeds)
  func everySourceOfACopyHasTheBytesOrFetchesThem(_ seed: UInt64) {
    let plan = World.generated(seed).plan()
    for file in plan.files {
      guard let number = file.copyOf else { continue }
      let source = plan.files[number]
      #expect(source.action != .conflict && !source.isHeld && source.reason != .kept, "seed \(seed)")
      #expect(source.copyOf == nil && source.copyFrom == nil, "seed \(seed): a copy of a copy")
    }
  }
}
