import DLSyncModel
import Testing

@testable import DLSyncManifest

/// Two forms of one Unicode character are two texts in everything that a manifest says.
@Suite struct UnicodeFormTests {
  private static let composed = "\u{e9}"
  private static let decomposed = "e\u{301}"
  private static let forms = [composed, decomposed]
  private static let digests = ["0a", "b0"].map { String(repeating: $0, count: 32) }

  private func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
  private var expected: [[UInt8]?] { Self.forms.map(bytes) }

  /// Entries of both forms, one a line, with a comment between them in the other writing.
  private func files(_ keys: (String) -> String, head: String = "") throws -> [FileEntry] {
    let lines = Self.forms.enumerated().map { "- {url: https://h/\($0), \(keys($1))}\n" }
    return try Reading.manifest("version: 1\n" + head + "files:\n" + lines.joined()).files
  }

  @Test func everyEntryKeepsItsOwnSettings() throws {
    let headers = try files { "headers: {X: \($0)}" }
    #expect(headers.map { bytes($0.options.headers[0].value) } == expected)
    let tags = try files { "tags: [\($0)]" }
    #expect(tags.map { bytes($0.options.settings.tags[0]) } == expected)
    let notify = try files { "notify: {success: \($0)}" }
    #expect(notify.map { bytes($0.options.settings.notify?.success) } == expected)
    let names = try files { "checksum: {from: https://h/SUMS, name: \($0)}" }
    #expect(names.map { bytes($0.options.settings.listedChecksums[0].name) } == expected)
    let lists = try files { "checksum: {from: ./\($0), name: x}" }
    let paths = lists.map { $0.options.settings.listedChecksums[0].place.description }
    #expect(paths.map(bytes) == Self.forms.map { bytes("/work/" + $0) })
  }

  @Test func queuesAreTwo() throws {
    let head = "queues:\n" + Self.forms.map { "  \($0): {concurrency: 1}\n" }.joined()
    let files = try files({ "queue: \($0)" }, head: head)
    #expect(files.map { bytes($0.queue.text) } == expected)
    // Many keys are looked up otherwise than few.
    let many = (0..<30).map { "  q\($0): {}\n" }.joined()
    #expect(Reading.rendered("version: 1\n" + head + many + "files: []\n") == [])
    let alone = "version: 1\nqueues: {\(Self.composed): {}}\nfiles: [{url: https://h/a, queue: \(Self.decomposed)}]\n"
    #expect(Reading.short(alone).count == 1)
  }

  @Test func namesOfAPublishedListAreTwo() {
    let lines = zip(Self.digests, Self.forms)
    for prefix in ["", "./", "d/"] {
      let list = PublishedList(Array(lines.map { "\($0)  \(prefix)\($1)\n" }.joined().utf8))
      for (digest, name) in lines {
        #expect((try? list.digest(of: name, algorithm: .sha256).get())?.description == "sha256:" + digest)
      }
    }
    let list = PublishedList(Array("\(Self.digests[0])  d/\(Self.composed)\n".utf8))
    #expect(list.digest(of: Self.decomposed, algorithm: .sha256) == .failure(.missing))
    let accent = PublishedList(Array("\(Self.digests[0])  ././\u{301}x\n".utf8))
    #expect((try? accent.digest(of: "\u{301}x", algorithm: nil).get()) != nil)
  }

  @Test func importedFilesAreTwo() throws {
    let text = zip(Self.digests, Self.forms).map { "\($0)  \($1)\n" }.joined()
    let list = try ListReading.manifest(Array(text.utf8), .sums, source: "l", base: try SourceURL("https://h/"))
    let files = try Reading.manifest(list.text).files
    #expect(files.map { bytes($0.destination.relativePath) } == expected)
    #expect(files.map(\.checksums.count) == [1, 1])
  }

  /// A slash and an accent behind it are one character to Swift, and a slash all the same.
  @Test(arguments: ["../\\u0301x", "a/../../\\u0301x", "../\\u200dx"]) func anAccentHidesNoWayOut(written: String) {
    let problems = Reading.short("version: 1\nfiles: [{url: https://h/a, destination: \"\(written)\"}]\n")
    #expect(problems == ["2:41 files[0].destination: the destination leads out of `root`"])
  }

  @Test func anAccentHidesNoRemotePlace() {
    let problems = Reading.short("version: 1\nfiles: [{url: https://h/a, destination: \"x://\\u0301h/a\"}]\n")
    #expect(problems.count == 1)
  }

  /// Texts that `String` sees fewer characters in than others do.
  @Test(arguments: [
    "a'\u{301}b", "${\u{301}}", "a\r\nb", "\\\u{301}", "x\n\u{301}", "q\"\u{301}", "$\u{301}{", ":\u{301}'",
  ])
  func whatIsWrittenIsReadAgain(text: String) throws {
    let written = "version: 1\nfiles: [{url: https://h/a, notify: {success: \(YAMLText.value(text))}}]\n"
    #expect(bytes(try Reading.manifest(written).files[0].options.settings.notify?.success) == bytes(text))
    let lock = "version: 1\nfiles:\n  - destination: \(YAMLText.scalar(text))\n    url: https://h/a\n    size: 1\n"
    let read = try LockDecoder(source: "m.lock").decode(Array((lock + "    sha256: '\(Self.digests[0])'\n").utf8))
    #expect(read.lines.map { bytes($0.destination) } == [bytes(text)])
    let manifest = try Reading.manifest(
      "version: 1\nfiles: [{url: https://h/a, destination: \(YAMLText.value(text)), checksum: \(Self.digests[0])}]\n")
    for format in [ListFormat.sums, .curl, .metalink] {
      let list = ListWriting.list(manifest, format).text
      let back = try ListReading.manifest(Array(list.utf8), format, source: "l", base: try SourceURL("https://h/"))
      #expect(try Reading.manifest(back.text).files.map { bytes($0.destination.relativePath) } == [bytes(text)])
    }
  }
}
