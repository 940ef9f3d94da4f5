import DLSyncManifest
import DLSyncModel
import DLSyncTestSupport
import Testing

@Suite struct LockTests {
  private static let digest = Digest(.sha256, bytes: [UInt8](0..<32))!

  private static func line(_ destination: String, url: String = "https://example.org/a", tag: String? = nil)
    -> ManifestLock.Line
  {
    ManifestLock.Line(
      destination: destination, url: url, size: ByteCount(7), sha256: digest, entityTag: tag,
      lastModified: tag.map { _ in "Tue, 15 Nov 2022 12:45:26 GMT" })
  }

  private func read(_ text: String) throws(ManifestError) -> ManifestLock {
    try LockDecoder(source: "m.lock").decode(Array(text.utf8))
  }

  private func diagnostics(_ text: String) -> [String] {
    do throws(ManifestError) {
      _ = try read(text)
      return []
    } catch {
      return error.diagnostics.map { "\($0.location): \($0.message)" }
    }
  }

  @Test func linesComeBackAsTheyWereWritten() throws {
    let names = [
      "a", "- b", "true", "1.10", "d: e", "x #y", "quote'\"", "tab\there", "line\nend", "é", "e\u{301}", "日本", "/abs/x",
      "${HOME}", "{a}", "[b]", "*c", "&d", "!e", "%f", "@g", "`h", "", " i ", "j\u{2028}k", "~", "\u{7f}", "\u{feff}l",
      "null",
    ]
    let lines = names.map { Self.line($0, url: "https://example.org/?q=\($0.count)", tag: "W/\"\($0.count)\"") }
    #expect(try Set(read(LockWriter.text(ManifestLock(lines))).lines) == Set(lines))
    #expect(try read(LockWriter.text(ManifestLock([]))).lines.isEmpty)
  }

  @Test func theTextDoesNotDependOnTheOrder() {
    var generator = SeededGenerator(seed: 7)
    let lines = (0..<50).map { Self.line("f\($0)") }
    let text = LockWriter.text(ManifestLock(lines))
    for _ in 0..<5 { #expect(LockWriter.text(ManifestLock(lines.shuffled(using: &generator))) == text) }
  }

  @Test(
    arguments: [
      ("", "m.lock:1:1: the lock file is empty"),
      ("- a\n", "m.lock:1:1: a lock file is a mapping with the keys `version` and `files`"),
      ("files: []\n", "m.lock:1:1: the key `version` is missing"),
      ("version: 2\nfiles: []\n", "m.lock:1:10: \"2\" is not a version that this program reads; it reads version 1"),
      ("version: 1\nfile: []\nfiles: []\n", "m.lock:2:1: the key `file` is not known here"),
      ("version: 1\n", "m.lock:1:1: the key `files` is missing"),
      ("version: 1\nfiles: []\nfiles: []\n", "m.lock:3:1: the key `files` was given before, on line 2"),
      ("version: 1\nversion: 1\nfiles: []\n", "m.lock:2:1: the key `version` was given before, on line 1"),
      ("version: 1\nfiles: []\n---\nfiles: []\n", "m.lock:3:1: a second document begins here; a lock file is one"),
      ("version: 1\nfiles: 3\n", "m.lock:2:1: the key `files` is not a list"),
      (
        "version: 1\nfiles:\n  - destination: a\n    url: u\n    sha256: 00\n    size: 1\n",
        "m.lock:5:13: \"00\" is not a sha256 digest: 64 hexadecimal digits"
      ),
      (
        "version: 1\nfiles:\n  - url: u\n    size: 1\n    sha256: \(digest.hex)\n",
        "m.lock:3:5: the key `destination` is missing"
      ),
    ])
  func errorsNameTheirPlace(text: String, message: String) { #expect(diagnostics(text) == [message]) }

  @Test func twoLinesOfOneDestinationAreAnError() {
    let text = LockWriter.text(ManifestLock([Self.line("a"), Self.line("a", url: "https://example.org/b")]))
    #expect(diagnostics(text).map { $0.contains("has a line already, on line") } == [true])
  }

  @Test func brokenTextIsAnErrorWithItsPlace() {
    #expect(diagnostics("{[broken").first?.hasPrefix("m.lock:") == true)
  }
}
