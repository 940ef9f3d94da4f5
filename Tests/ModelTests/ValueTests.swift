import DLSyncModel
import Testing

@Suite struct ValueTests {
  static let counts: [(Int64, String)] = [
    (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (1075, "1.0 KiB"),
    (1076, "1.1 KiB"),
    (1_048_523, "1023.9 KiB"), (1_048_525, "1.0 MiB"), (1_048_576, "1.0 MiB"), (13_002_342, "12.4 MiB"),
    (1 << 30, "1.0 GiB"),
    (3_221_225_472, "3.0 GiB"), (1 << 40, "1.0 TiB"), (1 << 50, "1.0 PiB"), (1 << 60, "1.0 EiB"), (.max, "8.0 EiB"),
  ]

  @Test(arguments: counts)
  func byteCountsReadAsPeopleReadThem(_ bytes: Int64, _ text: String) {
    #expect(ByteCount(bytes).description == text)
  }

  @Test func namesAreEqualWhenTheirBytesAre() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    #expect(composed == decomposed, "to Swift they are")
    #expect(Scope(composed) != Scope(decomposed) && QueueName(composed) != QueueName(decomposed))
    #expect(Set([Scope(composed), Scope(decomposed), Scope(composed)]).count == 2)
    #expect(Set([QueueName(composed), QueueName(decomposed), QueueName(composed)]).count == 2)
  }

  @Test func sumsOfByteCountsEndAtTheLargest() {
    #expect(ByteCount(1).adding(ByteCount(2)) == ByteCount(3))
    #expect(ByteCount(.max).adding(ByteCount(1)) == ByteCount(.max))
  }

  static let destinations: [(String, String, String)] = [
    ("f", "/r/f", "f"), ("./a/./b", "/r/a/b", "a/b"), ("a//b", "/r/a/b", "a/b"), ("a/../b", "/r/b", "b"),
    ("/x/y", "/x/y", "/x/y"),
    ("/x/../../y", "/y", "/y"), ("x/..y", "/r/x/..y", "x/..y"), ("...", "/r/...", "..."), ("-rf", "/r/-rf", "-rf"),
    ("a b#%41[x]{y}", "/r/a b#%41[x]{y}", "a b#%41[x]{y}"), ("~", "/r/~", "~"),
    ("a/../\u{301}b", "/r/\u{301}b", "\u{301}b"), ("/\u{301}b", "/\u{301}b", "/\u{301}b"),
  ]

  @Test(arguments: destinations)
  func destinationsAreResolvedByTextAlone(_ written: String, _ path: String, _ below: String) throws {
    let destination = try Destination(written, root: "/r")
    #expect(destination.path == path)
    #expect(destination.relativePath == below)
    #expect((destination.root == nil) == written.isAbsolutePath)
  }

  static let noDestinations: [(String, Destination.Problem)] = [
    ("", .empty), ("a\0b", .holdsNUL), ("..", .leavesRoot), ("../x", .leavesRoot), ("../\u{301}x", .leavesRoot),
    ("a/../../\u{301}x", .leavesRoot), ("a/../../x", .leavesRoot),
    ("/", .namesFolder),
    (".", .namesFolder), ("x/", .namesFolder), ("x/.", .namesFolder), ("x/..", .namesFolder), ("/..", .namesFolder),
  ]

  @Test(arguments: noDestinations)
  func whatNamesNoFileIsNoDestination(_ written: String, _ problem: Destination.Problem) {
    #expect(throws: problem) { try Destination(written, root: "/r") }
  }

  @Test func destinationsAreEqualByteForByte() throws {
    let (composed, decomposed) = (try Destination("\u{e9}", root: "/r"), try Destination("e\u{301}", root: "/r"))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
    #expect(try Destination("f", root: "/").path == "/f")
    #expect(try Destination("f", root: "/").relativePath == "f")
    #expect(try Destination("d/f", root: "/r").folder == "/r/d")
    #expect(try Destination("/f", root: "/r").folder == "/")
    #expect(try Destination("d/f", root: "/r").name == "f")
  }

  @Test func momentsEndWhereTheyCanNotGoOn() {
    #expect(Timestamp(seconds: 253_402_300_799) == Timestamp(nanoseconds: .max), "the year 9999")
    #expect(Timestamp(seconds: -62_135_596_800) == Timestamp(nanoseconds: .min), "the year 1")
    #expect(Timestamp(seconds: -1) == Timestamp(nanoseconds: -1_000_000_000))
  }

  /// A record that somebody edited may hold any moment.
  @Test(arguments: [Int64.min, .min + 1, 0, .max])
  func aMomentAtTheEndOfTimeEndsNothing(moment: Int64) {
    let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4, changed: 5, mode: 0o644)
    #expect(PublishedFile.isDoubtful(identity, Timestamp(nanoseconds: moment)) == (moment < 5))
    let recent = Timestamp(seconds: 1_700_000_000)
    let isDue = RefreshPolicy.after(.seconds(1)).isDue(checked: Timestamp(nanoseconds: moment), now: recent)
    #expect(isDue, "long ago, or in the future of a clock that was set back")
  }

  @Test func idsAreTheSameInEveryProcess() {
    let id = TaskID(scope: Scope("s"), queue: .default, destination: "/root/f")
    #expect(id.description.utf8.count == 12)
    #expect(TaskID(id.description) == id)
    #expect(TaskID(value: id.value) == id)
    #expect(id != TaskID(scope: Scope("sd"), queue: QueueName("efault"), destination: "/root/f"))
    for text in ["", "12345678901", "1234567890123", "+23456789012", "12345678901g", "1234567890 2"] {
      #expect(TaskID(text) == nil, "\(text)")
    }
    #expect(TaskID(value: 0xab).description == "0000000000ab")
  }

  @Test func digestsHaveExactlyTheirLength() {
    for algorithm in DigestAlgorithm.allCases {
      let hex = String(repeating: "aB", count: algorithm.length)
      #expect(Digest(algorithm, hex: hex)?.hex == hex.lowercased())
      #expect(Digest(algorithm, hex: hex.dropLast()) == nil)
      #expect(Digest(algorithm, hex: hex + "00") == nil)
      #expect(DigestAlgorithm(name: algorithm.name.uppercased()) == algorithm)
    }
    #expect(DigestAlgorithm(name: "sha-256") == .sha256)
    #expect(DigestAlgorithm(name: "blake2b512") == .blake2b512)
    #expect(DigestAlgorithm(name: "crc32") == nil)
    #expect(Digest(.md5, hex: String(repeating: "g", count: 32)) == nil)
  }

  static let globs: [(String, String, Bool)] = [
    ("p/*", "p/f0.bin", true), ("p/*", "p/q/f", false), ("*", "p/f", false), ("*/f1?.bin", "p/f10.bin", true),
    ("*/f1?.bin", "p/f1.bin", false),
    ("q/f[13].bin", "q/f3.bin", true), ("q/f[13].bin", "q/f2.bin", false), ("[!a-c]x", "dx", true),
    ("[^a-c]x", "bx", false), ("[]]", "]", true),
    ("[a", "[a", true), ("**", "a/b/c", true), ("a/**", "a/b/c", true), ("**/x", "x", true), ("**/x", "a/b/x", true),
    ("**/x", "a/bx", false),
    ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true), ("a/**/b", "a/xb", false), ("a**b", "a/x/b", true),
    ("*.tar.*", "x.tar.gz", true),
    ("*a*b*c*", "xaxbxcx", true), ("*a*b*c*", "xaxcxbx", false), ("**a/*b", "x/ya/zb", true),
    ("**/*.bin", "a/b/c.bin", true),
    ("http://h/x/*", "http://h/x/f", true), ("http://h/**", "http://h/x/y?z", true), ("\\*", "*", true),
    ("\\*", "a", false), ("?", "é", true),
    ("?", "/", false), ("[/]", "/", false), ("", "", true), ("", "a", false), ("a", "A", false),
    ("plain", "plain", true), ("plain", "plain2", false),
    ("[a-]", "-", true), ("[日-月]", "月", true), ("*/", "a/", true),
  ]

  @Test(arguments: globs)
  func patternsMatchAsInShells(_ pattern: String, _ text: String, _ matches: Bool) {
    #expect(GlobPattern(pattern).matches(text) == matches)
    #expect(GlobPattern(pattern).description == pattern)
  }

  @Test func patternsNeverTakeLong() {
    let text = String(repeating: "a", count: 2000)
    #expect(!GlobPattern(String(repeating: "*a", count: 50) + "b").matches(text))
    #expect(!GlobPattern(String(repeating: "**a", count: 50) + "b").matches(text))
  }

  @Test func headersAreTheSameWhateverTheirOrderAndCase() {
    let one = FileOptions(headers: [HeaderField("A", "1"), HeaderField("b", "2")])
    #expect(one.hasSameHeaders(as: FileOptions(headers: [HeaderField("B", "2"), HeaderField("a", "1")])))
    #expect(!one.hasSameHeaders(as: FileOptions(headers: [HeaderField("A", "1"), HeaderField("b", "3")])))
    #expect(!one.hasSameHeaders(as: FileOptions(headers: [HeaderField("A", "1")])))
  }

  @Test func everyErrorCodeHasOneText() {
    #expect(Set(ErrorCode.all.map(\.text)).count == ErrorCode.all.count)
    #expect(ErrorCode.all.allSatisfy { ErrorCode(text: $0.text) == $0 })
    #expect(ErrorCode(text: "nonsense") == nil)
  }
}
