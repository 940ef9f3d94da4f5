import DLSyncManifest
import DLSyncModel
import Testing

/// Whole diagnostics as people see them, and what they never show.
@Suite struct DiagnosticTests {
  @Test func diagnosticShowsPlaceLineCaretAndHint() {
    #expect(
      Reading.rendered(
        "version: 1\nroot: out\nfiles:\n  - url: http://h/a\n    cheksum: x\n  - {url: 'http://h/2', prioriti: 0.5}\n")
        == [
          """
          m.yaml:5:5: error: files[0].cheksum: the key `cheksum` is not known here
                cheksum: x
                ^
            hint: did you mean `checksum`?
          """,
          """
          m.yaml:6:25: error: files[1].prioriti: the key `prioriti` is not known here
              - {url: 'http://h/2', prioriti: 0.5}
                                    ^
            hint: did you mean `priority`?
          """,
        ])
  }

  @Test func columnsCountCharactersNotBytes() {
    #expect(
      Reading.rendered("version: 1\r\nfiles:\r\n  - {url: 'http://h/漢🎉', prioriti: 1}\r\n") == [
        """
        m.yaml:3:26: error: files[0].prioriti: the key `prioriti` is not known here
            - {url: 'http://h/漢🎉', prioriti: 1}
                                   ^
          hint: did you mean `priority`?
        """
      ])
  }

  @Test(arguments: [
    ("checkSum", "checksum"), ("cheksum", "checksum"), ("destinatio", "destination"), ("header", "headers"),
    ("mirror", "mirrors"), ("onconflict", "onConflict"), ("permission", "permissions"), ("prioritiy", "priority"),
    ("URL", "url"), ("qeueu", "queue"),
  ]) func unknownKeyNamesTheNearest(_ written: String, _ meant: String) {
    let said = Reading.rendered("version: 1\nfiles:\n- {url: http://h/a, \(written): x}\n")
    #expect(said.count == 1 && said[0].contains("hint: did you mean `\(meant)`?"), "\(said)")
  }

  @Test(arguments: [
    "files:\n- url: http://u:hunter2@h/x\n", "files: ['http://u:hunter2@h/x', {url: }]\n",
    "files:\n- url: http://u:hun/hunter2@h/x\n", "files:\n- url: u:hunter2@h\n",
    "files:\n- {url: 'ftp://h/?token=hunter2'}\n",
    "files:\n- url: http://h/a\n  headers: {Authorization: \"hunter2\\n\"}\n",
    "files:\n- url: http://h/a\n  headers: {Host: hunter2, X-A: hunter2}\n",
    "files:\n- url: http://h/a\n  header: {Authorization: hunter2}\n",
    "files:\n- url: http://h/a\n  haeders: [hunter2]\n", "files:\n- url: http://h/a\n  headers: ['A: hunter2']\n",
    "files:\n- url: http://h/a\n  headers: {'A: hunter2': x}\n",
    "files:\n- url: http://h/a\n  headers: {X: \"${env:UNSET} hunter2\"}\n",
    "files:\n- url: http://h/a\n  headers: {X: \"${env:SECRET}\\n\"}\n",
    "files:\n- url: \"http://${env:SECRET}@h/a\"\n", "files:\n- url: \"${env:SECRET}://h/a\"\n",
    "files:\n- {url: http://h/a, size: \"${env:SECRET}\"}\n",
    "files:\n- {url: http://h/a, checksum: \"${env:SECRET}\"}\n",
    "files:\n- {url: http://h/a, queue: \"${env:SECRET}\"}\n",
    "files:\n- {url: http://h/a, onConflict: \"${env:SECRET}\"}\n",
    "queues: {q: {network: {proxy: 'ftp://u:hunter2@p'}}}\nfiles: []\n",
    "queues: {q: {network: {proxi: 'http://u:hunter2@p'}}}\nfiles: []\n",
    "vars: {api_token: hunter2, b: [1]}\nfiles: []\n", "files:\n- url: http://h/a\n  headers:\n    X: \"hunter2\n",
    "files:\n- url: http://h/a\n  headers:\n    X: |\n      hunter2\n      hunter2\n  size: x\n",
    "files:\n- url: http://h/a\n  headers:\n    Authorization: a: hunter2\n",
    "files:\n- url: http://h/a\n  headers: {X: hunter2, size: }, foo: @\n",
    "files:\n- {url: http://h/a, headers: {X: hunter2}, prioriti: 1}\n",
    "baseURL: http://u:hunter2@h/\nfiles: []\n",
  ]) func secretIsShownNowhere(_ text: String) {
    let said = Reading.rendered("version: 1\n" + text)
    #expect(!said.isEmpty)
    #expect(!said.joined().contains("hunter2"), "\(said.joined(separator: "\n"))")
  }

  @Test func caretStaysUnderItsPlaceBehindAHiddenValue() {
    #expect(
      Reading.rendered("version: 1\nfiles:\n- {url: http://h/a, headers: {X: hunter2}, prioriti: 1}\n") == [
        """
        m.yaml:3:44: error: files[0].prioriti: the key `prioriti` is not known here
          - {url: http://h/a, headers: {X: …}, prioriti: 1}
                                               ^
          hint: did you mean `priority`?
        """
      ])
  }

  @Test func everyErrorIsReportedInOneRun() {
    let said = Reading.short(
      "version: 1\nroot: out/${env:U1}\nbaseURL: http://h/${env:U2}/\nvars: {a: '${env:U3}'}\nfiles:\n- url: '${U4}'\n  destination: '${env:U5}'\n"
    )
    #expect(said.map { $0.prefix(2) } == ["2:", "3:", "4:", "6:", "7:"])
  }

  @Test func errorOfASharedPartIsReportedOnce() {
    let said = Reading.short(
      "version: 1\nfiles:\n- &d\n  url: http://h/a\n  prioriti: 1\n- {<<: *d, destination: y}\n- {<<: *d, destination: z}\n"
    )
    #expect(said == ["5:3 files[0].prioriti: the key `prioriti` is not known here"])
  }

  @Test func longLinesAreCutAroundTheirPlace() {
    let many = (0..<2000).map { "{url: http://h/\($0)}" }.joined(separator: ", ")
    let said = Reading.rendered("version: 1\nfiles: [\(many), {url: http://h/x, prioriti: 1}, \(many)]\n")
    #expect(said.count == 1 && said[0].count < 600)
    let lines = said[0].split(separator: "\n")
    let caret = lines[2].count
    #expect(lines[1].dropFirst(caret - 1).hasPrefix("prioriti"))
  }

  @Test func tooManyErrorsAreCounted() {
    let text = "version: 1\nfiles:\n" + String(repeating: "- {url: http://h/a, x: 1}\n", count: 1500)
    guard case .failure(let error) = Reading.decode(text) else { return #expect(Bool(false), "no error") }
    #expect(error.diagnostics.count == 1001)
    #expect(error.diagnostics.last?.message == "500 more errors are not shown")
  }

  @Test(
    arguments: [
      ([0xff, 0xfe, 0x76, 0x00], "1:1", "the text is not UTF-8 but probably UTF-16"),
      (Array("version: 1\nname: \u{e4}".utf8) + [0xc3], "2:8", "the bytes from here on are not UTF-8"),
      (Array("a: ".utf8) + [0xed, 0xa0, 0x80], "1:4", "the bytes from here on are not UTF-8"),
      (Array("a: ".utf8) + [0xc0, 0xaf], "1:4", "the bytes from here on are not UTF-8"),
      (Array("version: 1\nab: \u{7}".utf8), "2:5", "the control character U+0007 stands here"),
      (Array("version: 1\nab: x\0".utf8), "2:6", "the control character U+0000 stands here"),
      (Array("version: 1\nab: \u{7f}".utf8), "2:5", "the control character U+007F stands here"),
    ] as [([UInt8], String, String)]) func badBytesHaveAPlace(_ bytes: [UInt8], _ place: String, _ message: String)
  {
    guard case .failure(let error) = Reading.decode(bytes) else { return #expect(Bool(false), "no error") }
    #expect(error.diagnostics.map { "\($0.location.line):\($0.location.column)" } == [place])
    #expect(error.diagnostics.map(\.message) == [message])
  }

  @Test func byteOrderMarkAndOtherLineEndsAreAccepted() throws {
    let text = "version: 1\nfiles:\n- url: http://h/a\n  headers: {X: v}\n- http://h/名🎉.bin\n"
    for dressed in [
      "\u{feff}" + text, text.replacing("\n", with: "\r\n"), text.replacing("\n", with: "\r"),
      "%YAML 1.2\n---\n" + text + "...\n",
    ] {
      let manifest = try Reading.manifest(dressed)
      #expect(manifest.files.map(\.destination.relativePath) == ["a", "名🎉.bin"])
      #expect(manifest.files[0].options.headers == [HeaderField("X", "v")])
    }
  }
}
