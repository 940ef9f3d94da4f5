import DLSyncModel
import DLSyncPlanner
import Testing

@Suite struct DecisionTests {
  @Test(arguments: DecisionTable.files + DecisionTable.places)
  func everyRowOfTheTableHolds(_ row: Row) throws {
    let world = row.world
    #expect(world.questions == row.asks.map { [HashRequest(entry: 0, algorithms: $0)] } ?? [])
    let file = try #require(world.plan().files.first)
    #expect(file.decision == row.expected)
    #expect((file.error != nil) == (file.action == .conflict))
    #expect(file.isHeld == (file.reason == .suspended || file.reason == .canceled))
    if case .file(let identity) = row.seen {
      #expect(file.basis == .file(identity))
    } else {
      #expect(file.basis == .absent)
    }
    if let error = file.error {
      #expect(error.code.text == file.reason.rawValue)
      #expect(error.message.contains("/root/f"))
    }
  }

  /// What was published there would be taken for partial data, and go with it.
  @Test(arguments: [
    (".dlsync-0123456789ab.part", true), ("d/.dlsync-0123456789ab.12.part", true), (".dlsync-probe-1-a", true),
    (".dlsync-0123456789abc.part", false), (".dlsync-notes", false), (".dlsync-0123456789ab.part/f", false),
  ]) func namesOfPartialDataAreNoDestinations(name: String, isOne: Bool) {
    let wanted = entry(name, onConflict: .replace)
    #expect(World([wanted], [.absent]).plan().decisions == [isOne ? "conflict/destinationInvalid" : "download/new"])
    #expect(
      World([wanted], [untouched]).plan().decisions == [isOne ? "conflict/destinationInvalid" : "download/replace"])
  }

  @Test(arguments: DecisionTable.files)
  func onlySettledDecisionsAreRecordedAnew(_ row: Row) throws {
    let file = try #require(row.world.plan().files.first)
    guard let settled = file.settles else { return }
    #expect(file.action == .reuse)
    #expect(file.basis == .file(settled.identity))
  }

  @Test func reidentifiedFilesTakeTheIdentityThatWasSeen() throws {
    let seen = identity(5, modified: 950, changed: 950)
    let file = try #require(World([entry()], records: [ours], [.file(seen)], bytes: [0: 1]).plan().files.first)
    #expect(file.settles == PublishedFile(fingerprint: digest(1), identity: seen, recordedAt: later))
  }

  @Test func untouchedFilesAreNotRecordedAnew() throws {
    var world = World([entry()], records: [ours], [untouched], bytes: [0: 1])
    #expect(world.plan().files[0].settles == nil)
    world.options.hashesEverything = true
    #expect(world.plan().files[0].settles == nil)
  }

  @Test func aFileThatIsRightAfterAFailedUpdateIsRecordedAsFinished() {
    let failed = record(.failed, checksums: [digest(2)], published: published(1))
    let file = World([entry(checksums: [digest(1)])], records: [failed], [untouched]).plan().files[0]
    #expect(file.decision == "reuse/unchanged")
    #expect(file.settles == published(1))
  }

  @Test func doubtfulFilesAreRecordedAnewOnceTheyAreSettled() throws {
    let doubtful = record(published: published(1, at: Timestamp(nanoseconds: 900_000_000_000)))
    let file = World([entry()], records: [doubtful], [untouched], bytes: [0: 1]).plan().files[0]
    #expect(file.settles == PublishedFile(fingerprint: digest(1), identity: identity(), recordedAt: later))
  }

  @Test func permissionsAreAppliedWithoutFetching() {
    let strict = entry(permissions: 0o600)
    let file = World([strict], records: [ours], [untouched]).plan().files[0]
    #expect(file.decision == "reuse/unchanged")
    #expect(file.appliesPermissions)
    #expect(!World([entry(permissions: 0o644)], records: [ours], [untouched]).plan().files[0].appliesPermissions)
    #expect(!World([entry()], records: [ours], [untouched]).plan().files[0].appliesPermissions)
    let kept = entry(permissions: 0o600, onConflict: .keep)
    #expect(!World([kept], [untouched]).plan().files[0].appliesPermissions, "a file of the user's")
  }

  @Test func bytesAreWhatIsStillToBeFetched() {
    func bytes(_ entry: FileEntry, _ record: StoredTask? = nil) -> Int64? {
      World([entry], records: record.map { [$0] } ?? []).plan().files[0].bytes?.bytes
    }
    #expect(bytes(entry()) == nil)
    #expect(bytes(entry(size: 100)) == 100)
    #expect(bytes(entry(), record(.failed, total: 80)) == 80)
    #expect(bytes(entry(), record(.failed, confirmed: 30, total: 80)) == 50)
    #expect(bytes(entry(size: 20), record(.failed, confirmed: 30)) == 0)
    #expect(bytes(entry(url: "http://h/b"), record(total: 80)) == nil, "the length of another URL")
    let begun = record(.failed, confirmed: 30, total: 80)
    let replacing = World([entry(onConflict: .replace)], records: [begun], [.file(identity())]).plan().files[0]
    #expect(replacing.reason == .replace && replacing.bytes == ByteCount(50))
  }
}
