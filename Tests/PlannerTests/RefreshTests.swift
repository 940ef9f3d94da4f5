import DLSyncModel
import DLSyncPlanner
import Testing

/// Finished files that are to be checked with their servers again, and files whose checksums stand in lists.
@Suite struct RefreshTests {
  private func entry(_ change: (inout FileSettings) -> Void) -> FileEntry {
    var settings = FileSettings()
    change(&settings)
    return FileEntry(
      scope: scope, url: SourceURL(recorded: "http://h/a"), destination: destination("f"),
      options: FileOptions(settings))
  }

  private func record(checked: Timestamp?, listMark: Int64 = 0, _ state: TaskState = .completed) -> StoredTask {
    StoredTask(
      id: TaskID(scope: scope, queue: .default, destination: "/root/f"), queue: .default, destination: "/root/f",
      url: "http://h/a", state: state, published: published(1), listMark: listMark, checkedAt: checked)
  }

  private func decision(_ entry: FileEntry, _ record: StoredTask, _ observation: Observation = .file(identity()))
    -> String
  {
    World([entry], records: [record], [observation], bytes: [0: 1]).plan().decisions[0]
  }

  @Test func aRefreshIsDueWhenItsTimeIsOver() {
    let checked = Timestamp(nanoseconds: later.nanoseconds - 60_000_000_000)
    let due: [(RefreshPolicy, Timestamp?, String)] = [
      (.never, checked, "reuse/unchanged"), (.always, checked, "download/stale"), (.never, nil, "reuse/unchanged"),
      (.after(.seconds(61)), checked, "reuse/unchanged"), (.after(.seconds(60)), checked, "download/stale"),
      (.after(.seconds(1)), nil, "download/stale"),
      // A clock that was set back does not put the check off.
      (.after(.seconds(60)), Timestamp(nanoseconds: later.nanoseconds + 1_000_000_000), "download/stale"),
    ]
    for (policy, checked, expected) in due {
      #expect(decision(entry { $0.refresh = policy }, record(checked: checked)) == expected, "\(policy)")
    }
  }

  @Test func onlyWhatIsAsItShouldBeIsRefreshed() {
    let always = entry { $0.refresh = .always }
    let touched = identity(modified: 950, changed: 950)
    #expect(decision(always, record(checked: longAgo), .file(touched)) == "download/stale")
    var world = World([always], records: [record(checked: longAgo)], [.file(touched)], bytes: [0: 9])
    #expect(world.plan().decisions == ["conflict/destinationModified"])
    world = World([always], records: [record(checked: longAgo)])
    #expect(world.plan().decisions == ["download/missing"])
    #expect(decision(always, record(checked: longAgo, .suspended)) == "download/suspended")
  }

  @Test func aStaleFileKeepsWhatIsKnownOfIt() {
    var world = World([entry { _ in }], records: [record(checked: longAgo)], [.file(identity())])
    world.options.refreshes = true
    let file = world.plan().files[0]
    #expect(file.decision == "download/stale")
    #expect(file.settles == published(1))
    #expect(file.basis == .file(identity()))
  }

  @Test func aFinishedFileIsNotLookedUpAgainInItsList() {
    let listed = entry {
      $0.listedChecksums = [ListedChecksum(place: .file("/SUMS"), algorithm: .sha256, name: nil)]
    }
    let mark = listed.options.listMark
    #expect(decision(listed, record(checked: nil, listMark: mark)) == "reuse/unchanged")
    #expect(decision(listed, record(checked: nil, listMark: mark + 2)) == "download/changed")
    #expect(decision(listed, record(checked: nil)) == "download/changed")
    #expect(decision(entry { _ in }, record(checked: nil, listMark: mark)) == "reuse/unchanged")
    let plan = World([listed], [.file(identity())]).plan()
    #expect(plan.decisions == ["conflict/destinationExists"])
    #expect(plan.files[0].error?.message.contains("list") == true)
  }

  @Test func tagsSelect() {
    var world = World([
      entry { $0.tags = ["a", "b"] },
      FileEntry(scope: scope, url: SourceURL(recorded: "http://h/b"), destination: destination("g")),
    ])
    world.options.selection = Selection(tags: ["b", "c"])
    #expect(world.plan().files.map(\.entry.destination.name) == ["f"])
  }
}
