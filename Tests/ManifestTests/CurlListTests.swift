import DLSyncManifest
import DLSyncModel
import Testing

/// Configurations of curl as people write them.
@Suite struct CurlListTests {
  private func read(_ text: String) throws -> ConvertedList {
    try ListReading.manifest(Array(text.utf8), .curl, source: "l.txt", base: nil)
  }

  private func files(_ text: String) throws -> [String] {
    try Reading.manifest(read(text).text).files.map { "\($0.destination.relativePath) \($0.url.text)" }
  }

  @Test(arguments: ["-fsSLo x", "-sSLox", "-o x", "-#Zo \"x\"", "-fsSL\n-o x"])
  func lettersMayShareADash(line: String) throws {
    let list = try read("\(line)\nurl = http://a/y\n")
    #expect(try files("\(line)\nurl = http://a/y\n") == ["x http://a/y"] && list.losses.isEmpty)
  }

  @Test func whatOfSuchLettersIsLostIsTold() throws {
    #expect(try read("-fkO\nurl = http://a/y\n").losses == ["left out: curl's option `insecure` on line 1"])
    #expect(try read("-4f\nurl = http://a/y\n").losses == ["left out: curl's option `-4` on line 1"])
  }

  @Test func aURLWithoutASchemeIsAHostAndWhatIsThere() throws {
    #expect(
      try files("url = h.example/a\nurl = localhost:8080/b\n") == ["a http://h.example/a", "b http://localhost:8080/b"])
    #expect(try read("url = file:///etc/passwd\n").losses.first == "left out: a URL of the scheme `file` on line 1")
  }

  @Test func headersWithoutAValueAreSentOrNot() throws {
    let list = try read("url = http://a/y\nheader = \"X-E;\"\nheader = \"Accept:\"\nheader = @file\n")
    #expect(try Reading.manifest(list.text).files[0].options.headers == [HeaderField("X-E", "")])
    #expect(
      list.losses == ["left out: a header from a file, or one that is not to be sent (2 times), first on line 3"])
  }

  @Test func bracketsMeanNothingWhereThatIsSaid() throws {
    #expect(try read("url = http://a/[1-3]\n").losses.count == 1)
    #expect(try read("url = http://a/[1-3]\ngloboff\n").losses.isEmpty)
    #expect(try read("globoff\nurl = http://a/b\nnext\nurl = http://a/[1-3]\n").losses.count == 1)
  }

  @Test func aDashIsStandardOutput() throws {
    #expect(try files("url = http://a/y\noutput = -\n") == ["y http://a/y"])
    let manifest = try Reading.manifest("version: 1\nfiles: [{url: 'http://a/y', destination: '-'}]\n")
    let text = ListWriting.list(manifest, .curl).text
    #expect(text.contains("output = \"./-\"\n"))
    #expect(try files(text) == ["- http://a/y"])
  }

  @Test func whatIsWrittenLosesNothingWhenItIsRead() throws {
    let manifest = try Reading.manifest(
      "version: 1\nfiles: [{url: 'http://a/{y}[1]', destination: z, headers: {X-E: '', X-K: v}}]\n")
    let list = try read(ListWriting.list(manifest, .curl).text)
    #expect(list.losses.isEmpty)
    #expect(try Reading.manifest(list.text).files[0].options.headers == manifest.files[0].options.headers)
  }
}

/// Names that a format cannot say are told as lost, never written as others.
@Suite struct UnspeakableNameTests {
  @Test(
    arguments: [
      (ListFormat.aria2, " x", "begins or ends with a blank"), (.aria2, "x\\t", "begins or ends with a blank"),
      (.aria2, "/d/ x", "begins or ends with a blank"), (.aria2, "a\\nb", "holds a line end"),
      (.metalink, "a\\x01b", "holds a control character"),
    ])
  func theyAreLeftOut(format: ListFormat, name: String, reason: String) throws {
    let manifest = try Reading.manifest(
      "version: 1\nfiles:\n  - {url: 'http://a/y', destination: \"\(name)\"}\n  - http://a/z\n")
    let list = ListWriting.list(manifest, format)
    #expect(list.losses.count == 1 && list.losses[0].contains(reason), "\(list.losses)")
    #expect(!list.text.contains("http://a/y") && list.text.contains("http://a/z"))
  }
}
