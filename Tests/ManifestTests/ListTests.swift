import DLSyncManifest
import DLSyncModel
import Testing

/// External lists of files.
@Suite struct ListTests {
  /// Hands a text out in pieces of a few bytes, so that every boundary is met.
  private final class Pieces: ListStream {
    private var rest: ArraySlice<UInt8>
    private let size: Int

    init(_ bytes: [UInt8], size: Int) {
      rest = bytes[...]
      self.size = size
    }

    func read() -> [UInt8] {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
  }

  private func read(_ name: String, _ text: [UInt8], head: String = "", more: String = "", size: Int = 7) -> Result<
    Manifest, ManifestError
  > {
    let context = ManifestContext(
      source: "m.yaml", canonicalPath: "/work/m.yaml", environment: Reading.environment,
      openList: { (path) throws(DLSyncError) in
        guard path == "/work/\(name)" else { throw DLSyncError(.usage, "could not read \"\(path)\"") }
        return Pieces(text, size: size)
      })
    let manifest = "version: 1\nbaseURL: http://b/z/\n\(head)filesFrom: [{path: \(name)\(more)}]\n"
    do throws(ManifestError) {
      return .success(try ManifestDecoder(context: context).decode(Array(manifest.utf8)))
    } catch {
      return .failure(error)
    }
  }

  /// `DESTINATION URL`, or `LINE:COLUMN PATH: MESSAGE`.
  private func said(_ name: String, _ text: String, head: String = "", more: String = "", size: Int = 7) -> [String] {
    switch read(name, Array(text.utf8), head: head, more: more, size: size) {
    case .success(let manifest): manifest.files.map { "\($0.destination.relativePath) \($0.url.text)" }
    case .failure(let error):
      error.diagnostics.map { "\($0.location.line):\($0.location.column) \($0.path): \($0.message)" }
    }
  }

  private static let digest = String(repeating: "ab", count: 32)

  @Test func anEscapeHasFourDigits() {
    for escape in ["-000", "+041", "00g0", "0 41"] {
      #expect(
        said("l.ndjson", "{\"url\":\"http://h/\\u\(escape)\"}\n").first?.contains("four hexadecimal digits") == true,
        "\(escape)")
    }
  }

  @Test(arguments: [1, 2, 3, 5, 1000]) func everyFormatGivesItsFilesWhereverBlocksEnd(_ size: Int) {
    #expect(
      said("l.txt", "\u{feff}# c\r\nhttp://h/a\r\n\r\n  x/b \r\nhttp://h/${c}", size: size) == [
        "a http://h/a", "b http://b/z/x/b", "${c} http://h/${c}",
      ])
    #expect(
      said("l.jsonl", "{\"url\":\"http://h/\\ud83c\\udf89\\/a\",\"destination\":null}\n\"b\"\n", size: size) == [
        "a http://h/%F0%9F%8E%89/a", "b http://b/z/b",
      ])
    #expect(
      said(
        "l.csv", "url,destination\r\nhttp://h/a,\"a \"\"b\"\", c\"\r\nb,\r\nc,\"x\ny\"\r\nd,\"x\r\ny\rz\"\r\n",
        size: size) == [
          "a \"b\", c http://h/a", "b http://b/z/b", "x\ny http://b/z/c",
          "x\r\ny\rz http://b/z/d",
        ])
    #expect(said("l.tsv", "destination\turl\n\"a\"\tb\n", size: size) == ["\"a\" http://b/z/b"])
    #expect(
      said("l.aria2", "a\tm\n  out=o\n  dir=/d/e\n  split=4\nb\n\tdir=d\nc\n", size: size) == [
        "d/e/o http://b/z/a", "d/b http://b/z/b", "c http://b/z/c",
      ])
    #expect(
      said("SHA256SUMS", "# c\n\(Self.digest)  ./d/a#1\nSHA256 (b%) = \(Self.digest)\n", size: size) == [
        "a#1 http://b/z/d/a%231", "b% http://b/z/b%25",
      ])
  }

  @Test func severalDigestsOfANameAreOneFile() throws {
    let md5 = String(repeating: "cd", count: 16)
    let other = String(repeating: "ef", count: 32)
    let text = """
      SHA256 (a) = \(Self.digest)
      SHA256 (d/b) = \(other)
      MD5 (a) = \(md5)
      \(Self.digest)  ./a
      MD5 (d/b) = \(md5)
      \(md5)  c
      """
    let files = try read("CHECKSUM", Array(text.utf8), more: ", format: sums").get().files
    #expect(files.map(\.url.text) == ["http://b/z/a", "http://b/z/d/b", "http://b/z/c"])
    let digests = files.map { $0.checksums.map(\.description) }
    #expect(
      digests == [
        ["sha256:\(Self.digest)", "md5:\(md5)"], ["sha256:\(other)", "md5:\(md5)"], ["md5:\(md5)"],
      ])
  }

  @Test func twoDigestsThatCannotBothBeRightAreAnError() {
    let other = String(repeating: "ef", count: 32)
    #expect(
      said("SHA256SUMS", "\(Self.digest)  a\n\(other)  b\n\(other)  ./a\n") == [
        "3:1 filesFrom[0]: \"./a\" has another sha256 digest further up"
      ])
  }

  @Test func recordsSayWhatEntriesSay() throws {
    let record =
      #"{"url": "a", "size": 12, "tags": ["t"], "headers": {"X": "1"}, "checksum": "\#(Self.digest)", "priority": 0.5}"#
    let manifest = try read(
      "l.ndjson", Array(record.utf8), head: "queues: {q: {}}\ndefaults: {queue: q, headers: {X: 0, Y: 0}, size: 7}\n",
      more: ", headers: {Z: 0}, permissions: \"0600\", size: 9"
    ).get()
    let file = manifest.files[0]
    #expect(file.size == ByteCount(12) && file.queue.text == "q" && file.options.permissions == 0o600)
    #expect(file.options.headers == [HeaderField("X", "1"), HeaderField("Y", "0"), HeaderField("Z", "0")])
    #expect(file.options.settings.tags == ["t"] && file.checksums.count == 1)
    let download = try read(
      "l.aria2", Array("a\tm1\tm2\n checksum=sha-256=\(Self.digest)\n header=X: 1\n".utf8)
    ).get().files[0]
    #expect(download.options.settings.mirrors.map(\.text) == ["http://b/z/m1", "http://b/z/m2"])
    #expect(download.checksums.map(\.hex) == [Self.digest])
    #expect(download.options.headers == [HeaderField("X", "1")])
  }

  @Test(arguments: ["01", "1.2.3", "-x", "1x", "--1", "1.", "1e", "1e+", "0x10", "-", "00", "1.e3"])
  func whatIsNoNumberOfJSONIsNoValue(word: String) {
    #expect(
      said("l.ndjson", "{\"url\":\"a\",\"destination\":\(word)}\n") == ["1:26 filesFrom[0]: this is no JSON value"])
  }

  @Test(arguments: ["0", "-0", "12", "-1", "1.5", "0.0e-1", "1e3", "1E+3", "true", "false"])
  func wordsOfJSONAreTheTextsThatTheyAre(word: String) {
    #expect(said("l.ndjson", "{\"url\":\"a\",\"destination\":\(word)}\n") == ["\(word) http://b/z/a"])
  }

  /// 420 is what programs write who mean 0644.
  @Test func aNumberOfJSONIsNoMode() {
    let found = said("l.ndjson", "{\"url\":\"a\",\"permissions\":\"644\"}\n{\"url\":\"b\",\"permissions\":420}\n")
    #expect(found == ["2:26 filesFrom[0].permissions: the mode \"420\" could be read as a decimal number"])
  }

  @Test(arguments: ["SHA256SUMS", "SHA256SUMS.txt", "checksums.TXT", "l.sha512"])
  func namesOfListsOfChecksumsTellTheirFormat(name: String) {
    #expect(said(name, "\(Self.digest)  x\n") == ["x http://b/z/x"])
  }

  @Test func errorsNameTheLineAndColumnOfTheList() {
    #expect(said("l.urls", "a\n ftp://h/b\n") == ["2:2 filesFrom[0]: the scheme \"ftp\" is not `http` or `https`"])
    #expect(
      said("l.csv", "url,siz\na,1\n") == ["1:5 filesFrom[0]: the first line names file keys, and `siz` is none"])
    #expect(
      said("l.csv", "size\n1\n") == ["1:1 filesFrom[0]: the first line names file keys, and `url` is not among them"])
    #expect(
      said("l.csv", "url,size\nä,x\nb\nc,1,2\nd,\"1\"2\ne,\"1\n") == [
        "2:3 filesFrom[0].size: \"x\" is not a size",
        "3:1 filesFrom[0]: the record has 1 fields, the first line names 2",
        "4:1 filesFrom[0]: the record has 3 fields, the first line names 2",
        "5:6 filesFrom[0]: a quote stands within a field",
        "6:3 filesFrom[0]: a quote begins here and is never closed",
      ])
    #expect(
      said("l.csv", "url,matrix\n") == [
        "1:5 filesFrom[0]: the key `matrix` cannot stand in a list: its lines are the entries"
      ])
    #expect(
      said("l.ndjson", "{\"url\": \"a\", \"sice\": 1}\n{\"url\":}\n{}\n[1]\n{\"url\":\"a\"} x\n") == [
        "1:14 filesFrom[0].sice: the key `sice` is not known here", "2:8 filesFrom[0]: this is no JSON value",
        "3:1 filesFrom[0]: the key `url` is missing",
        "4:1 filesFrom[0]: a URL or a mapping of file keys belongs here, not a list",
        "5:13 filesFrom[0]: something follows the value of this line",
      ])
    #expect(
      said("l.aria2", " out=x\na\n  nope=1\n") == [
        "1:1 filesFrom[0]: an option stands before the first URL",
        "3:3 filesFrom[0]: the option `nope` means nothing here",
      ])
    #expect(
      said("l.sums", "\(Self.digest)\nabc  d\n") == [
        "1:1 filesFrom[0]: the checksum has no name beside it", "2:1 filesFrom[0]: the line is no checksum with a name",
      ])
  }

  @Test(.timeLimit(.minutes(1))) func aQuoteThatIsNeverClosedDoesNotTakeTheWholeList() {
    let line = String(repeating: "x", count: 99) + "\n"
    let field = String(repeating: line, count: 10_000)
    #expect(said("l.csv", "url,destination\na,\"\(field)\"\n", size: 65536).count == 1)
    #expect(
      said("l.csv", "url,destination\na,\"\(field)\(field)\"\nnot to be read\n", size: 65536) == [
        "2:3 filesFrom[0]: a quote begins here and is not closed within 1.0 MiB"
      ])
  }

  @Test func aManifestKnowsWhichFilesAreOfWhichList() throws {
    let text = "version: 1\nfiles: [http://h/x]\nfilesFrom: [{path: a.urls}, {path: b.urls}, {path: c.urls}]\n"
    let context = ManifestContext(
      source: "m.yaml", canonicalPath: "/work/m.yaml",
      openList: { path in
        Pieces(Array((path == "/work/b.urls" ? "" : "http://h\(path)/1\nhttp://h\(path)/2\n").utf8), size: 9)
      })
    let manifest = try ManifestDecoder(context: context).decode(Array(text.utf8))
    #expect(
      manifest.lists.map { "\($0.path) \($0.firstFile)" } == ["/work/a.urls 1", "/work/b.urls 3", "/work/c.urls 3"])
    #expect(manifest.files.count == 5)
  }

  @Test func blanksAroundURLsAreNoPartOfThem() {
    #expect(said("l.aria2", "a \t  \t  m\n  out=o\n", size: 65536) == ["o http://b/z/a"])
    #expect(said("l.aria2", "http://h/a \n", size: 65536) == ["a http://h/a"])
  }

  @Test func namesOfSumsMayHoldWhatNoURLMay() {
    #expect(said("l.sums", "\\\(Self.digest)  a\\nb\n") == ["a\nb http://b/z/a%0Ab"])
  }

  @Test func whatCannotBeReadIsAnErrorOfTheManifest() {
    #expect(said("l.zip", "").map { String($0.prefix(25)) } == ["3:20 filesFrom[0].path: t"])
    #expect(said("l.urls", "", more: ", format: csw").count == 1)
    let missing = read("../l.urls", [])
    guard case .failure(let error) = missing else { return #expect(Bool(false)) }
    #expect(error.diagnostics[0].location.line == 3 && error.diagnostics[0].path == "filesFrom[0].path")
  }

  @Test func secretsOfAListAreNotShown() {
    let texts = [
      ("l.urls", "http://u:hunter2@h/a\n"),
      ("l.ndjson", "{\"url\":\"http://h/a\",\"headers\":{\"Authorization\":\"hunter2\\n\"}}\n"),
      ("l.ndjson", "{\"url\":\"http://h/a\",\"haeders\":{\"Authorization\":\"hunter2\"}}\n"),
      ("l.aria2", "a\n header=Authorization hunter2\n"),
      ("l.aria2", "a\n http-passwd=hunter2\n"),
      ("l.csv", "url,headers\na,Authorization: Bearer hunter2\n"),
      ("l.csv", "url,headers\na,Authorization: Bearer hunter2,1\n"),
      ("l.csv", "url,headers\na,\"Authorization:\nBearer hunter2\"x\n"),
      ("l.tsv", "size\turl\theaders\n1x\ta\tAuthorization: Bearer hunter2\n"),
    ]
    for (name, text) in texts {
      guard case .failure(let error) = read(name, Array(text.utf8)) else {
        Issue.record("\(name) is wrong and was read")
        continue
      }
      #expect(!error.diagnostics.map(\.description).joined().contains("hunter2"), "\(name)")
      #expect(!error.diagnostics.compactMap(\.sourceLine).joined().contains("hunter2"), "\(name)")
    }
  }

  @Test func managedFilesHaveAPlaceThatFollowsFromTheirURL() throws {
    let manifest = try Reading.manifest(
      """
      version: 1
      name: n
      defaults: {managed: true}
      files:
        - http://h/a.bin?X-Amz-Signature=1&v=2
        - {url: "http://h/b/", managed: true}
        - {url: http://h/c, destination: d}
      """)
    let paths = manifest.files.map(\.destination.path)
    #expect(paths[0].hasPrefix("/state/files/") && paths[0].hasSuffix("/a.bin"))
    #expect(paths[1].hasSuffix("/file") && paths[2] == "/work/d")
    let renewed = try Reading.manifest(
      "version: 1\nname: n\nfiles:\n- {url: 'http://h/a.bin?X-Amz-Signature=9&v=2', managed: true}\n")
    #expect(renewed.files[0].destination.path == paths[0])
  }
}
