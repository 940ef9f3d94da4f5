import DLSyncManifest
import DLSyncModel
import DLSyncTestSupport
import Testing

/// Lists of other tools become manifests that say the same, and say what they leave out.
@Suite struct ListReadingTests {
  private func read(_ format: ListFormat, _ text: String, base: String? = nil) throws -> ConvertedList {
    try ListReading.manifest(
      Array(text.utf8), format, source: "l.txt", base: try base.map { try SourceURL($0) })
  }

  /// `DESTINATION URL MIRROR… CHECKSUM… SIZE HEADERS` of each file of the manifest that comes out.
  private func files(_ format: ListFormat, _ text: String, base: String? = nil) throws -> [String] {
    let manifest = try Reading.manifest(try read(format, text, base: base).text)
    return manifest.files.map { entry in
      let mirrors = entry.options.settings.mirrors.map(\.text)
      let headers = entry.options.headers.map { "\($0.name)=\($0.value)" }
      let size = entry.size.map { ["\($0.bytes)"] } ?? []
      return
        ([entry.destination.relativePath, entry.url.text] + mirrors + entry.checksums.map(\.description) + size
        + headers)
        .joined(separator: " ")
    }
  }

  private func message(_ format: ListFormat, _ text: String) -> String? {
    do throws(DLSyncError) {
      _ = try ListReading.manifest(Array(text.utf8), format, source: "l.txt", base: nil)
      return nil
    } catch {
      return error.message
    }
  }

  private static let md5 = "md5:900150983cd24fb0d6963f7d28e17f72"

  @Test func aria2ListsAreRead() throws {
    let text = """
      # a comment
      http://a/x\thttp://b/x\tftp://c/x
        out=y.bin
        dir=sub
        checksum=md5=900150983cd24fb0d6963f7d28e17f72
        header=X-K: ${v}
        max-tries=5

      http://a/z?1
        dir=/abs
      """
    let found = try files(.aria2, text)
    #expect(found == ["sub/y.bin http://a/x http://b/x \(Self.md5) X-K=${v}", "/abs/z http://a/z?1"])
    let losses = try read(.aria2, text).losses
    #expect(
      losses == ["left out: aria2's option `max-tries` on line 7", "left out: a URL of the scheme `ftp` on line 2"])
  }

  @Test func metalinksAreRead() throws {
    let four = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- <file name="no"/> -->
      <m:metalink xmlns:m="urn:ietf:params:xml:ns:metalink" xmlns:o="urn:other">
        <m:file name="d/a&amp;b"><m:size> 3 </m:size><o:size>4</o:size>
          <m:hash type="md5">900150983cd24fb0d6963f7d28e17f72</m:hash>
          <m:pieces length="1" type="sha-1"><m:hash>00</m:hash></m:pieces>
          <m:url>http://a/last</m:url><m:url priority="2">http://a/2</m:url><m:url priority="1"><![CDATA[http://a/1?x&y]]></m:url>
        </m:file>
      </m:metalink>
      """
    #expect(try files(.metalink, four) == ["d/a&b http://a/1?x&y http://a/2 http://a/last \(Self.md5) 3"])
    #expect(try read(.metalink, four).losses == ["left out: digests of pieces on line 6"])
    let three = """
      <metalink version="3.0" xmlns="http://www.metalinker.org/"><files><file name="x"><verification>
      <hash type="md5">900150983cd24fb0d6963f7d28e17f72</hash></verification><resources>
      <url type="http" preference="10">http://a/low</url><url type="http" preference="90">http://a/high</url>
      </resources></file></files></metalink>
      """
    #expect(try files(.metalink, three) == ["x http://a/high http://a/low \(Self.md5)"])
  }

  @Test(arguments: ["bittorrent", "BitTorrent", "magnet", "ed2k"]) func aTorrentIsNotTheFile(type: String) throws {
    let text = """
      <metalink version="3.0" xmlns="http://www.metalinker.org/"><files><file name="x"><resources>
      <url type="\(type)" preference="100">http://a/x.torrent</url><url type="http">http://a/x</url><url>http://b/x</url>
      </resources></file></files></metalink>
      """
    #expect(try files(.metalink, text) == ["x http://a/x http://b/x"])
    #expect(try read(.metalink, text).losses == ["left out: a URL of the type `\(type)` on line 2"])
  }

  @Test func preferencesAreTakenWithinTheirRange() throws {
    let urls = ["-9223372036854775808", "9223372036854775807", "99", "100"].map {
      "<url preference=\"\($0)\">http://a/\($0)</url>"
    }
    let text = """
      <metalink version="3.0" xmlns="http://www.metalinker.org/"><files><file name="x"><resources>\(urls.joined())
      </resources></file></files></metalink>
      """
    #expect(
      try files(.metalink, text) == [
        "x http://a/9223372036854775807 http://a/100 http://a/99 http://a/-9223372036854775808"
      ])
  }

  @Test(
    arguments: [
      ("", "l.txt:1: there is no element"), ("<a/>", "l.txt:1: this is no Metalink: the outermost element is `a`"),
      (
        "<!DOCTYPE m [<!ENTITY a 'x'>]>",
        "l.txt:1: a document type is not read: it could name other files and make a short text long"
      ),
      ("\n<m>\n</n>", "l.txt:2: this is no Metalink: the outermost element is `m`"),
      (
        "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>\n<file name='../x'><url>http://a/b</url></file></metalink>",
        "l.txt:2: \"../x\" is no path of a file below the folder"
      ),
      (
        "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>\n<file name='/x'>",
        "l.txt:2: a file has no name, or an absolute one"
      ),
      ("<metalink xmlns='urn:ietf:params:xml:ns:metalink'>&nope;", "l.txt:1: the entity `&nope;` is not known"),
      ("<metalink xmlns='urn:ietf:params:xml:ns:metalink'><file>", "l.txt:1: a file has no name, or an absolute one"),
      (
        "<metalink xmlns='urn:ietf:params:xml:ns:metalink'></file>",
        "l.txt:1: `</file>` closes no element that is open here"
      ),
      ("<metalink xmlns='urn:ietf:params:xml:ns:metalink'>", "l.txt:1: an element is not closed"),
      (
        "<?xml version='1.0' encoding='latin-1'?><a/>",
        "l.txt:1: the encoding \"latin-1\" is not read: save the text as UTF-8"
      ),
      ("<a b='1' b='2'/>", "l.txt:1: the attribute `b` was given before"),
      ("<a:b/>", "l.txt:1: the prefix of `a:b` stands for nothing"),
    ])
  func metalinksThatAreWrongAreRefused(text: String, wanted: String) { #expect(message(.metalink, text) == wanted) }

  @Test func elementsAreNotNestedWithoutEnd() {
    let text = String(repeating: "<a>", count: 100_000)
    #expect(message(.metalink, "<metalink xmlns='urn:ietf:params:xml:ns:metalink'>" + text)?.contains("nested") == true)
  }

  @Test func listsOfChecksumsAreRead() throws {
    let text =
      "900150983cd24fb0d6963f7d28e17f72  a b.bin\nMD5 (d/c#1) = 900150983cd24fb0d6963f7d28e17f72\nrubbish here\n"
    #expect(
      try files(.sums, text, base: "https://h/p/") == [
        "a b.bin https://h/p/a%20b.bin \(Self.md5)", "d/c#1 https://h/p/d/c%231 \(Self.md5)",
      ])
    #expect(try files(.sums, text.replacing("\n", with: "\r"), base: "https://h/p/").count == 2)
    let withoutBase = try read(.sums, text)
    #expect(
      withoutBase.text.contains("# baseURL:")
        && withoutBase.losses == ["left out: a line that is no checksum on line 3"])
  }

  @Test func digestsOfOneNameAreTakenTogether() throws {
    let other = String(repeating: "ab", count: 20)
    // The two spellings of "\u{e9}" are two names.
    let text = "MD5 (x) = \(Self.md5.dropFirst(4))\nSHA1 (./x) = \(other)\n\(other)  e\u{301}\n\(other)  \u{e9}\n"
    #expect(
      try files(.sums, text, base: "http://h/") == [
        "x http://h/x \(Self.md5) sha1:\(other)", "e\u{301} http://h/e%CC%81 sha1:\(other)",
        "\u{e9} http://h/%C3%A9 sha1:\(other)",
      ])
    #expect(
      message(.sums, "\(other)  x\n\(Self.md5.dropFirst(4))  x\n\(String(other.reversed()))  x\n")
        == "l.txt:3: \"x\" has another sha1 digest further up")
  }

  @Test func listsOfURLsAreRead() throws {
    #expect(
      try files(.urls, "\u{feff} http://a/x \r\n\r\n# c\nhttp://a/y?${z}\n") == ["x http://a/x", "y http://a/y?${z}"])
    #expect(try files(.urls, "http://a/\n") == ["index.html http://a/"])
    #expect(
      message(.urls, "http://a/x\nhttp://me:secret@a/x\n")
        == "l.txt:2: the URL holds user information; give credentials as a header instead")
  }

  @Test(arguments: ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"])
  func theNameOfAListWritesNothingBesideItself(end: String) throws {
    let name = "l\(end)version: 2\(end)files: [http://evil/x]\(end)#"
    let list = try ListReading.manifest(Array("http://a/x".utf8), .urls, source: name, base: nil)
    #expect(try Reading.manifest(list.text).files.map(\.url.text) == ["http://a/x"])
  }

  @Test func configurationsOfCurlAreRead() throws {
    let text = """
      # c
      url = "http://a/x"
      -o "out 1.bin"
      header = "X-K: a \\"b\\" \\\\c"
      --user me:pw
      url: http://a/y
      remote-name
      next
      url http://a/z
      output-dir = d
      limit-rate = 1m
      insecure
      """
    let headers = #"X-K=a "b" \c Authorization=Basic bWU6cHc="#
    #expect(try files(.curl, text) == ["out 1.bin http://a/x \(headers)", "y http://a/y \(headers)", "d/z http://a/z"])
    #expect(try read(.curl, text).losses == ["left out: curl's option `insecure` on line 12"])
    #expect(try Reading.manifest(read(.curl, text).text).queues[0].configuration.rate == ByteCount(1 << 20))
  }

  @Test(arguments: [("0", 1), ("4", 5), ("99", 100), ("100", 100), ("9223372036854775807", 100)])
  func triesOfCurlAreAttempts(retries: String, attempts: Int) throws {
    let list = try read(.curl, "url = http://a/x\nretry = \(retries)\n")
    #expect(try Reading.manifest(list.text).queues[0].configuration.retry.maxAttempts == attempts)
    #expect(list.losses.isEmpty)
  }

  @Test(arguments: [("limit-rate", "1.5M"), ("limit-rate", ""), ("retry", "many"), ("retry", "9223372036854775808")])
  func aNumberThatCannotBeReadIsToldAsLost(option: String, value: String) throws {
    let list = try read(.curl, "url = http://a/x\n\(option) = \(value)\n")
    #expect(list.losses == ["left out: curl's option `\(option)` on line 2"])
    #expect(!list.text.contains("queues"))
  }

  @Test(arguments: [ListFormat.aria2, .metalink, .urls, .curl])
  func whatIsWrittenIsReadAgain(format: ListFormat) throws {
    let manifest = try Reading.manifest(
      """
      version: 1
      files:
        - { url: 'http://a/x?a=1&b="2"', destination: 'd/a <&> "b" é', mirrors: ['http://b/x'], size: 7,
            checksum: '\(Self.md5)', headers: { X-K: 'a "b" \\ c' } }
        - http://a/plain
      """)
    let written = ListWriting.list(manifest, format)
    let again = try Reading.manifest(read(format, written.text).text)
    #expect(again.files.map(\.url) == manifest.files.map(\.url))
    if format != .urls {
      #expect(again.files.map(\.destination.relativePath) == manifest.files.map(\.destination.relativePath))
    }
    if format == .aria2 || format == .metalink {
      #expect(again.files[0].checksums == manifest.files[0].checksums)
      #expect(again.files[0].options.settings.mirrors == manifest.files[0].options.settings.mirrors)
    }
    if format == .aria2 || format == .curl {
      #expect(again.files[0].options.headers == manifest.files[0].options.headers)
    }
    let lost = [
      "aria2": ["size"], "metalink": ["headers"], "urls": ["mirrors", "destination", "checksum", "size", "headers"],
      "curl": ["mirrors", "checksum", "size"],
    ]
    for word in lost[format.rawValue]! {
      #expect(written.losses.contains { $0.contains(word) }, "\(word): \(written.losses)")
    }
  }

  @Test(arguments: ListFormat.allCases) func noTextIsTooOdd(format: ListFormat) throws {
    var generator = SeededGenerator(seed: 11)
    let words = [
      "<", ">", "/", "a", "=", "\"", "\\", "\n", "\t", " ", "&", ";", "http://h/", "metalink", "file", "  out=", "../",
      "é", "\u{0}", "]]>", "<![CDATA[",
    ]
    for round in 0..<2000 {
      let text = (0..<Int.random(in: 0...30, using: &generator)).map { _ in words.randomElement(using: &generator)! }
        .joined()
      do throws(DLSyncError) {
        let list = try ListReading.manifest(Array(text.utf8), format, source: "l", base: nil)
        #expect(!list.text.isEmpty)
      } catch {
        #expect(error.code == .manifestInvalid, "round \(round): \(error) of \(text.debugDescription)")
      }
    }
  }

  @Test(arguments: ["/a", "/etc/cron.d/x", "//a", "/"]) func namesInAListOfChecksumsStayBelowTheFolder(name: String) {
    let line = String(repeating: "0", count: 64) + "  " + name + "\n"
    #expect(message(.sums, line) == "l.txt:1: \"\(name)\" is no path of a file below the folder")
  }

  @Test func whatAria2CallsOutLiesBelowItsFolder() throws {
    // Its manual: "It is always relative to the directory given in --dir".
    let text = "http://a/x\n  out=/etc/x\nhttp://a/y\n  dir=/srv\n  out=/y\nhttp://a/z\n  out=/\n"
    #expect(try files(.aria2, text) == ["etc/x http://a/x", "/srv/y http://a/y", "z http://a/z"])
  }
}
