import DLSyncModel
import DLSyncPlanner
import Testing

@Suite struct CopyTests {
  private let done = record(at: "x", published: published(1))
  private let seen = Observation.file(identity())

  @Test func oneURLForSeveralPlacesIsFetchedOnce() {
    let plan = World([entry("x"), entry("y"), entry("z")]).plan()
    #expect(plan.decisions == ["download/new", "reuse/copied", "reuse/copied"])
    #expect(plan.files.map(\.copyOf) == [nil, 0, 0])
    #expect(plan.summary.download == 1)
  }

  @Test func aFileThatIsHereAlreadyIsCopiedWhateverItsPlaceInTheManifest() {
    let plan = World([entry("y"), entry("x")], records: [done], [.absent, seen]).plan()
    #expect(plan.decisions == ["reuse/copied", "reuse/unchanged"])
    #expect(plan.files[0].copyOf == 1)
  }

  @Test func whatCannotGiveItsBytesIsNoSource() {
    let conflict = World([entry("x"), entry("y"), entry("z")], [seen, .absent, .absent]).plan()
    #expect(conflict.decisions == ["conflict/destinationExists", "download/new", "reuse/copied"])
    #expect(conflict.files[2].copyOf == 1)
    let held = World([entry("x"), entry("y")], records: [record(.suspended, at: "x")]).plan()
    #expect(held.decisions == ["download/suspended", "download/new"])
    let kept = World([entry("x", onConflict: .keep), entry("y", onConflict: .keep)], [seen, .absent]).plan()
    #expect(kept.decisions == ["reuse/kept", "download/new"])
  }

  @Test func theOneThatHasConfirmedBytesGoesOn() {
    let plan = World([entry("x"), entry("y")], records: [record(.failed, at: "y", confirmed: 5)]).plan()
    #expect(plan.decisions == ["reuse/copied", "download/resume"])
    #expect(plan.files[0].copyOf == 1)
  }

  @Test func aReplacementThatIsCopiedIsStillShownAsOne() {
    let plan = World([entry("x"), entry("y", onConflict: .replace)], [.absent, seen]).plan()
    #expect(plan.decisions == ["download/new", "download/replace"])
    #expect(plan.files[1].copyOf == 0)
    #expect(plan.files[1].basis == .file(identity()))
  }

  @Test func differentQueuesAndSizesAreNotOneTransfer() {
    #expect(
      World([entry("x"), entry("y", queue: QueueName("q"))]).plan().decisions == ["download/new", "download/new"])
    #expect(World([entry("x", size: 1), entry("y", size: 2)]).plan().decisions == ["download/new", "download/new"])
  }

  @Test(
    arguments: [
      { $0.keepsEncoding = true }, { $0.takesServerTime = true },
    ] as [@Sendable (inout FileSettings) -> Void])
  func filesThatAreStoredDifferentlyAreNotOneTransfer(_ change: @Sendable (inout FileSettings) -> Void) {
    let files = ["x", "y", "z"].map { entry($0) }
    var settings = FileSettings()
    change(&settings)
    let odd = FileEntry(
      scope: scope, url: files[0].url, destination: destination("o"), queue: .default, checksums: [], size: nil,
      priority: 0.5, options: FileOptions(settings), line: 1)
    let plan = World([files[0], odd, files[1]]).plan()
    #expect(plan.decisions == ["download/new", "download/new", "reuse/copied"])
    #expect(plan.files[2].copyOf == 0)
    let finished = World([files[0], odd], records: [done], [seen, .absent]).plan()
    #expect(finished.decisions == ["reuse/unchanged", "download/new"])
  }

  @Test func aNewDestinationForRecordedBytesCopiesThem() {
    let wanted = entry("g", checksums: [digest(1)])
    var world = World([wanted], records: [record(at: "f", published: published(1))])
    let preparation = Planner(options: world.options).prepare(world.manifest, world.stored)
    #expect(preparation.sources(world.survey) == ["/root/f"])
    #expect(world.plan().decisions == ["download/new"], "nobody looked")
    world.survey.recorded = ["/root/f": .file(identity())]
    let plan = world.plan()
    #expect(plan.decisions == ["reuse/copied"])
    #expect(plan.files[0].copyFrom == CopySource(path: "/root/f", published: published(1)))
    #expect(plan.orphans.map(\.destination) == ["/root/f"])
    world.survey.recorded = ["/root/f": .file(identity(modified: 950, changed: 950))]
    #expect(world.plan().decisions == ["download/new"], "it was changed")
  }

  @Test func nobodyLooksAtRecordsThatNothingNeeds() {
    let world = World([entry("g", checksums: [digest(2)])], records: [record(at: "f", published: published(1))])
    #expect(Planner(options: world.options).prepare(world.manifest, world.stored).sources(world.survey).isEmpty)
  }

  @Test func equalChecksumsAreOneFileWhateverTheURL() {
    let files = [entry("x"), entry("g", url: "http://other/b", checksums: [digest(1)])]
    let plan = World(files, records: [done], [seen, .absent]).plan()
    #expect(plan.decisions == ["reuse/unchanged", "reuse/copied"])
    #expect(plan.files[1].copyOf == 0)
  }

  @Test func bytesThatLieElsewhereAreCopied() {
    let strong = digest(2, .sha512)
    let files = [
      entry("x", url: "http://h/x", checksums: [digest(1)]), entry("y", url: "http://h/y", checksums: [strong]),
      entry("z", url: "http://h/z", checksums: [digest(3)]),
      entry("s", url: "http://h/s", checksums: [digest(1)], size: 7),
    ]
    var world = World(files)
    let preparation = Planner(options: world.options).prepare(world.manifest, world.stored)
    #expect(preparation.wanted(world.survey) == [digest(1), strong, digest(3)])
    let source = CopySource(path: "/cache/1", published: published(1))
    world.survey.elsewhere = [digest(1): source, strong: source]
    let plan = world.plan()
    #expect(plan.decisions == ["reuse/copied", "reuse/copied", "download/new", "download/new"])
    #expect(plan.files[0].copyFrom == source && plan.files[1].copyFrom == source)
  }

  @Test func whatIsHereOrHeldWantsNothing() {
    let files = [entry("x", checksums: [digest(1)]), entry("y", url: "http://h/y", checksums: [digest(2)])]
    let held = record(.suspended, at: "y", url: "http://h/y", checksums: [digest(2)])
    let world = World(files, records: [done, held], [seen, .absent])
    #expect(Planner(options: world.options).prepare(world.manifest, world.stored).wanted(world.survey).isEmpty)
  }

  @Test func aSourceThatIsLeftOutIsCopiedFromItsPlace() {
    var world = World([entry("x"), entry("y")], records: [done], [seen, .absent])
    world.options.selection = Selection(patterns: [GlobPattern("y")])
    let plan = world.plan()
    #expect(plan.decisions == ["reuse/copied"])
    #expect(plan.files[0].copyFrom == CopySource(path: "/root/x", published: published(1)))
    world.survey.observations[0] = .absent
    #expect(world.plan().decisions == ["download/new"], "the other one would have to be fetched, and is left out")
  }
}
