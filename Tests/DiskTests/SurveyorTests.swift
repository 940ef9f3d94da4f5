import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import Glibc
import Testing

@Suite struct SurveyorTests {
  @Test func everyKindOfThingIsSeenForWhatItIs() throws {
    let scratch = try Scratch()
    try scratch.file("file", [1, 2, 3])
    try scratch.folder("folder")
    try scratch.link("link", to: "file")
    try scratch.link("dangling", to: "nowhere")
    try scratch.pipe("pipe")
    try bindSocket(scratch("socket"))
    let names = ["file", "folder", "link", "dangling", "pipe", "socket", "absent", "no/such/folder", "file/below"]
    let observations = Surveyor().survey(try names.map { try scratch.entry($0) }).observations
    guard case .file(let identity) = observations[0] else {
      Issue.record("\(observations[0])")
      return
    }
    let status = try #require(scratch.status("file"))
    #expect((identity.size, identity.inode, identity.device) == (3, UInt64(status.st_ino), UInt64(status.st_dev)))
    #expect(identity.mode == UInt16(status.st_mode & 0o7777))
    #expect(
      Array(observations.dropFirst()) == [
        .folder, .symbolicLink, .symbolicLink, .special("pipe"), .special("socket"), .absent, .absent,
        .parentIsNoFolder(scratch("file")),
      ])
  }

  @Test func devicesAreSeen() throws {
    let survey = Surveyor().survey(recorded: ["/dev/null", "/", "/tmp/", "relative"])
    #expect(survey["/dev/null"] == .special("device"))
    #expect(survey.count == 4)
  }

  @Test(arguments: [1, 2] as [UInt64]) func manyEntriesKeepTheirOrder(seed: UInt64) throws {
    let scratch = try Scratch()
    var random = SeededGenerator(seed: seed)
    for folder in 0..<150 { try scratch.folder("d\(folder)") }
    var entries: [FileEntry] = []
    var sizes: [Int64?] = []
    for index in 0..<12_000 {
      // Some folders one after another, some in turn, more than are held open at once.
      let folder = index < 6000 ? index / 40 : Int.random(in: 0..<160, using: &random)
      let size = index % 7 == 0 && folder < 150 ? index % 31 : nil
      if let size { try scratch.file("d\(folder)/f\(index)", [UInt8](repeating: 1, count: size)) }
      entries.append(try scratch.entry("d\(folder)/f\(index)"))
      sizes.append(size.map(Int64.init))
    }
    let survey = Surveyor().survey(entries)
    let seen = survey.observations.map { observation -> Int64? in
      if case .file(let identity) = observation { identity.size } else { observation == .absent ? nil : -1 }
    }
    #expect(seen == sizes, "seed \(seed)")
    #expect(
      survey.devices.count == entries.count && entries.indices.allSatisfy { survey.devices[$0] == survey.devices[0] })
    #expect(survey.freeSpace.count == 1)
    #expect(survey.aliases == [])
  }

  @Test func linkedFoldersMakeAliases() throws {
    let scratch = try Scratch()
    try scratch.folder("d")
    try scratch.link("l", to: "d")
    try scratch.folder("e")
    let names = ["d/x", "l/x", "l/y", "e/x", "d/new/z", "l/new/z", "d/x", scratch("d/new/z")]
    let survey = Surveyor().survey(try names.map { try scratch.entry($0) })
    #expect(survey.aliases == [[0, 1, 6], [4, 5, 7]])
  }

  @Test func namesThatDifferInCaseAreTwoFilesOnExactFileSystems() throws {
    let scratch = try Scratch()
    let survey = Surveyor().survey(try ["a", "A", "d/\u{e9}", "d/e\u{301}"].map { try scratch.entry($0) })
    #expect(survey.aliases == [])
    #expect(scratch.names() == [])
  }

  @Test func hashingReadsRegularFilesOnly() throws {
    let scratch = try Scratch()
    let bytes = payload(count: 700_000, seed: 6)
    try scratch.file("file", bytes)
    try scratch.file("empty", [])
    try scratch.link("link", to: "file")
    try scratch.pipe("pipe")
    try scratch.folder("folder")
    let entries = try ["file", "empty", "link", "pipe", "folder", "absent"].map { try scratch.entry($0) }
    var survey = Surveyor().survey(entries)
    let requests = entries.indices.map { HashRequest(entry: $0, algorithms: [.sha256, .md5]) }
    Surveyor().hash(requests, of: entries, into: &survey)
    #expect(survey.digests.keys.sorted() == [0, 1])
    #expect(survey.digests[0] == bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.sha256, .md5]) })
    #expect(survey.digests[1]?[.sha256] == fingerprint([]))
  }

  @Test func hashingRenewsTheObservation() throws {
    let scratch = try Scratch()
    let entries = [try scratch.entry("f")]
    var survey = Surveyor().survey(entries)
    #expect(survey.observations == [.absent])
    try scratch.file("f", [1])
    Surveyor().hash([HashRequest(entry: 0, algorithms: [.sha1])], of: entries, into: &survey)
    guard case .file(let identity) = survey.observations[0] else {
      Issue.record("still \(survey.observations[0])")
      return
    }
    #expect(identity.size == 1)
    #expect(survey.digests[0]?.keys.sorted { $0.name < $1.name } == [.sha1])
  }

  private func bindSocket(_ path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result != 0 { throw SupportError.system("bind") }
  }
}
