import DLSyncModel
import DLSyncPlanner
import Testing

@Suite struct ClashTests {
  static let clashes: [[FileEntry]] = [
    [entry("x", url: "http://h/a", line: 7), entry("x", url: "http://h/b", line: 9)],
    [entry("x", line: 7), entry("x", queue: QueueName("q"), line: 9)],
    [entry("x", line: 7), entry("./x", url: "http://h/b", line: 9)],
    [entry("d/x", line: 7), entry("d//x", url: "http://h/b", line: 9)],
    [entry("x", line: 7), entry("d/../x", url: "http://h/b", line: 9)],
    [entry("x", line: 7), entry("/root/x", url: "http://h/b", line: 9)],
    [entry("x", line: 7), entry("x/y", url: "http://h/b", line: 9)],
    [entry("x/y/z", line: 7), entry("x", url: "http://h/b", line: 9)],
    [entry("x", checksums: [digest(1)], line: 7), entry("x", checksums: [digest(2)], line: 9)],
  ]

  @Test(arguments: clashes)
  func clashingEntriesAreAllRefusedAndNameEachOther(_ clash: [FileEntry]) {
    let plan = World(clash + [entry("fine", url: "http://h/z")]).plan()
    #expect(plan.decisions == ["conflict/destinationConflict", "conflict/destinationConflict", "download/new"])
    for file in plan.files.prefix(2) {
      #expect(file.error?.code == .destinationConflict)
      #expect(file.error?.message.contains("line 7 and line 9") ?? false, "\(String(describing: file.error))")
      #expect(file.error?.hint != nil)
    }
  }

  @Test func threeAtOnePlaceAreCounted() {
    let files = (1...3).map { entry("x", url: "http://h/\($0)", line: Int32($0)) }
    let plan = World(files).plan()
    #expect(plan.decisions == Array(repeating: "conflict/destinationConflict", count: 3))
    #expect(plan.files[2].error?.message.contains("line 1 and line 3 (3 entries in all)") ?? false)
  }

  /// As deep as a path can be, and deeper than a stack would bear.
  @Test func depthIsNoObstacle() {
    let deep = entry(String(repeating: "a/", count: 2000) + "x", url: "http://h/1", line: 7)
    let clash = World([deep, entry("a/a", url: "http://h/2", line: 9)]).plan()
    #expect(clash.decisions == ["conflict/destinationConflict", "conflict/destinationConflict"])
    let deeper = entry(String(repeating: "a/", count: 200_000) + "x", url: "http://h/1", line: 7)
    var world = World([deeper, entry("b", url: "http://h/2", line: 9)])
    world.stored.foreignClaims["/elsewhere"] = Scope("theirs")
    #expect(world.plan().decisions.last == "download/new")
  }

  @Test func neighboursAndNamesThatMerelyBeginAlikeDoNotClash() {
    let files = ["a", "ab", "a.b", "b/a", "b/ab", "c/d/e", "c/d-e"].enumerated().map {
      entry($1, url: "http://h/\($0)")
    }
    #expect(World(files).plan().decisions.allSatisfy { $0 == "download/new" })
  }

  @Test func twoFormsOfOneLetterAreTwoPlacesUnlessTheDiskSaysOtherwise() {
    let files = [entry("\u{e9}", url: "http://h/a", line: 7), entry("e\u{301}", url: "http://h/b", line: 9)]
    var world = World(files)
    #expect(world.plan().decisions == ["download/new", "download/new"])
    world.survey.aliases = [[0, 1]]
    let plan = world.plan()
    #expect(plan.decisions == ["conflict/destinationConflict", "conflict/destinationConflict"])
    #expect(plan.files[0].error?.message.contains("line 7 and line 9") ?? false)
  }

  @Test func entriesThatAreEqualInEverythingCountOnce() {
    let twice = [
      entry("x", checksums: [digest(1)], line: 1), entry("x", checksums: [digest(1)], line: 2),
      entry("y", url: "http://h/b"),
    ]
    let plan = World(twice).plan()
    #expect(plan.files.map(\.entry.destination.path) == ["/root/x", "/root/y"])
    #expect(plan.summary.total == 2)
  }

  @Test(.timeLimit(.minutes(1))) func manyAtOnePlaceAreToldInLinearTime() {
    let files = (0..<20_000).map { entry("x", url: "http://h/\($0)", line: Int32($0 + 1)) }
    #expect(World(files).plan().summary.conflict == files.count)
    let twins = (0..<20_000).map { entry("d/\($0)") }
    #expect(World(twins).plan().summary.download == 1)
  }

  @Test func linesAreThoseOfTheirLists() {
    let lists = [ListExtent(path: "/a.csv", firstFile: 1), ListExtent(path: "/b.csv", firstFile: 2)]
    func message(_ wanted: [String]) -> String? {
      let lines: [Int32] = [5, 1, 1, 2]
      var world = World(wanted.indices.map { entry(wanted[$0], url: "http://h/\($0)", line: lines[$0]) })
      world.lists = lists
      return world.plan().files.compactMap { $0.error?.message }.first
    }
    #expect(message(["x", "x", "y", "z"])?.hasSuffix(#"line 5 of "m.yaml" and line 1 of "/a.csv""#) ?? false)
    #expect(message(["w", "x", "x", "z"])?.hasSuffix(#"line 1 of "/a.csv" and line 1 of "/b.csv""#) ?? false)
    #expect(message(["w", "x", "y", "y"])?.hasSuffix(#"line 1 and line 2 of "/b.csv""#) ?? false)
    #expect(message(["w", "x", "w/y", "z"])?.hasSuffix(#"line 5 of "m.yaml" and line 1 of "/b.csv""#) ?? false)
    #expect(message(["w", "x", "y", "z"]) == nil)
  }

  @Test func aPlaceThatAnotherManifestClaimsIsRefused() {
    var world = World([entry("x"), entry("y", url: "http://h/b")])
    world.stored.foreignClaims = ["/root/x": Scope("theirs")]
    let plan = world.plan()
    #expect(plan.decisions == ["conflict/destinationConflict", "download/new"])
    #expect(plan.files[0].error?.message.contains("\"theirs\"") ?? false)
  }

  @Test func aFolderOrParentThatAnotherManifestClaimsIsRefused() {
    let names = ["a", "b/c/d", "b/c/e", "b/x", "e", "e/f0", "é", "g"]
    var world = World(names.enumerated().map { entry($1, url: "http://h/\($0)") })
    for claim in ["a/2", "a/1/deep", "b/c", "ab", "e/f", "e\u{301}/x", "g0", "g/x"] {
      world.stored.foreignClaims[BytewiseText("/root/" + claim)] = Scope("theirs")
    }
    world.stored.foreignClaims["/roo"] = Scope("theirs")
    world.files[4] = entry("other")
    let plan = world.plan()
    let refused = plan.files.filter { $0.reason == .destinationConflict }
    #expect(refused.map(\.entry.destination.relativePath) == ["a", "b/c/d", "b/c/e", "g"])
    #expect(refused.allSatisfy { $0.error?.code == .destinationConflict })
    #expect(
      refused.first?.error?.message
        == #""/root/a" cannot be beside "/root/a/1/deep", which belongs to another manifest, "theirs""#)
    #expect(plan.files.first?.error?.hint?.contains("dlsync remove") ?? false)
    #expect(world.plan().files.map(\.error?.message) == plan.files.map(\.error?.message))
  }

  @Test(.timeLimit(.minutes(1))) func claimsOfOthersAreLookedAtInLinearTime() {
    let deep = (0..<20).map { "level\($0)" }.joined(separator: "/")
    var world = World((0..<20_000).map { entry("\(deep)/\($0)/f", url: "http://h/\($0)") })
    for number in 0..<20_000 {
      world.stored.foreignClaims[BytewiseText("/root/\(deep)/\(number)/g/f")] = Scope("theirs")
    }
    world.stored.foreignClaims[BytewiseText("/root/\(deep)/7")] = Scope("theirs")
    #expect(world.plan().summary.conflict == 1)
  }

  @Test func oneURLTwiceInAQueueMustMeanTheSame() {
    let pairs: [[FileEntry]] = [
      [entry("x", checksums: [digest(1)], line: 7), entry("y", checksums: [digest(2)], line: 9)],
      [entry("x", checksums: [digest(1)], line: 7), entry("y", line: 9)],
      [entry("x", headers: [HeaderField("K", "1")], line: 7), entry("y", headers: [HeaderField("K", "2")], line: 9)],
    ]
    for pair in pairs {
      let plan = World(pair).plan()
      #expect(plan.decisions == ["conflict/duplicateTaskConflict", "conflict/duplicateTaskConflict"])
      #expect(plan.files[1].error?.message.contains("line 7 and line 9") ?? false)
      #expect(plan.files[1].error?.hint?.contains("queue") ?? false)
    }
    let apart = [entry("x", checksums: [digest(1)]), entry("y", queue: QueueName("q"), checksums: [digest(2)])]
    #expect(World(apart).plan().decisions == ["download/new", "download/new"])
  }

  @Test func conflictsNeverShowACredentialOfTheURL() {
    let url = "http://h/a?token=SECRET"
    let plan = World([entry("x", url: url, checksums: [digest(1)]), entry("y", url: url, checksums: [digest(2)])])
      .plan()
    #expect(plan.files.allSatisfy { !($0.error?.message.contains("SECRET") ?? true) })
  }
}
