import DLSyncManifest
import DLSyncModel
import DLSyncTestSupport
import Testing

/// Small texts that ask for much, and large ones that do not.
@Suite struct BoundTests {
  @Test func bombOfListsIsRefusedWithoutExpansion() {
    var text = "version: 1\nvars:\n  a: &a [x,x,x,x,x,x,x,x,x]\n"
    for (before, name) in zip("abcdefgh", "bcdefghi") {
      text += "  \(name): &\(name) [\(Array(repeating: "*\(before)", count: 9).joined(separator: ","))]\n"
    }
    #expect(Reading.short(text + "files: []\n").count == 9)
  }

  @Test func bombOfVariablesIsStopped() {
    var text = "version: 1\nvars:\n  a0: 0123456789\n"
    for level in 1...20 {
      text += "  a\(level): '" + String(repeating: "${a\(level - 1)}", count: 10) + "'\n"
    }
    #expect(
      Reading.short(text + "files: ['http://h/${a20}']\n")
        == ["9:7 vars.a6: the value with its variables filled in is longer than 1 MiB"])
    #expect(Reading.short(text + "files: ['http://h/${a5}']\n").count == 1)
  }

  @Test func bombOfMergeKeysIsStopped() {
    var text = "version: 1\ndefaults:\n  a0: &a0 {x: 1}\n"
    for level in 1...40 {
      text += "  a\(level): &a\(level) {<<: [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ","))]}\n"
    }
    let said = Reading.short(text + "files:\n- {<<: *a40, url: http://h/a}\n")
    #expect(said.contains { $0.contains("aliases expand this document to more than") }, "\(said.suffix(3))")
  }

  @Test func bombOfChecksumsIsStopped() {
    let digests = (0..<1000).map { "'" + String(10_000 + $0) + String(repeating: "0", count: 59) + "'" }
    let text =
      "version: 1\nfiles:\n- {url: http://h/a, checksum: &c [\(digests.joined(separator: ", "))]}\n"
      + String(repeating: "- {url: http://h/a, checksum: *c}\n", count: 400)
    let said = Reading.short(text)
    #expect(said.count == 1 && said[0].contains("aliases expand this document to more than"), "\(said.prefix(2))")
  }

  @Test func longChainOfMergesIsRefused() {
    var text = "version: 1\nfiles:\n- &a0 {url: http://h/a}\n"
    for level in 1...200 { text += "- &a\(level) {<<: *a\(level - 1)}\n" }
    let said = Reading.short(text)
    #expect(said.contains { $0.contains("merge keys are nested deeper than 64 levels") }, "\(said.prefix(2))")
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "]) func deepNestingIsRefused(_ opening: String) {
    let said = Reading.short("version: 1\nname: \n  " + String(repeating: opening, count: 5000))
    #expect(said.contains { $0.contains("nested deeper than 64 levels") }, "\(said)")
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "]) func farTooDeepNestingIsRefusedAsFast(_ opening: String) {
    let start = ContinuousClock.now
    let said = Reading.short("version: 1\nname: \n  " + String(repeating: opening, count: 200_000))
    #expect(said.contains { $0.contains("nested deeper than 64 levels") }, "\(said)")
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test func nestingOf64LevelsIsRead() {
    let text = "version: 1\nfiles: []\nname: " + String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
    #expect(Reading.short(text) == ["3:7 name: a text belongs here, not a list"])
    #expect(
      Reading.short("version: 1\nfiles: []\nname: " + String(repeating: "[", count: 64)) == [
        "3:70 mappings and lists are nested deeper than 64 levels"
      ])
  }

  @Test func aHundredThousandEntriesAreRead() throws {
    let count = 100_000
    var text = "version: 1\nbaseURL: https://example.org/t/\nroot: out\nfiles:\n"
    for index in 0..<count {
      let digits = String(index, radix: 16)
      text +=
        "  - url: d\(index % 97)/f\(index).bin\n    destination: d\(index % 97)/f\(index).bin\n    checksum: sha256:\(String(repeating: "0", count: 64 - digits.count))\(digits)\n"
    }
    let manifest = try Reading.manifest(text)
    #expect(manifest.files.count == count)
    #expect(Set(manifest.files.map(\.id)).count == count)
    #expect(Set(manifest.files.map { ObjectIdentifier($0.options) }).count == 1)
    let last = try #require(manifest.files.last)
    #expect(last.url.text == "https://example.org/t/d\((count - 1) % 97)/f\(count - 1).bin")
    #expect(last.line == Int32(5 + 3 * (count - 1)))
    #expect(last.checksums.map(\.hex) == ["000000000000000000000000000000000000000000000000000000000001869f"])
  }

  @Test func manyKeysOfOneMappingAreComparedQuickly() throws {
    let count = 50_000
    let vars = (0..<count).map { "  v\($0): \($0)\n" }.joined()
    #expect(
      try Reading.manifest("version: 1\nvars:\n\(vars)files: ['http://h/${v49999}']\n").files[0].destination.name
        == "49999")
    #expect(
      Reading.short("version: 1\nvars:\n\(vars)  v7: x\nfiles: []\n") == [
        "50003:3 vars.v7: the key `v7` was given before, on line 10, column 3"
      ])
  }

  /// The long and the short way to a URL and a destination agree.
  @Test func plainTextsMeanTheSameAsOthers() throws {
    var generator = SeededGenerator(seed: 42)
    let pieces = [
      "a", "b1", ".", "..", "/", "//", "?", "x=1", "-", "_", "~", "A", "%41", " ", "é", "@", ":", "[", "http:", "h.io",
      ".x", "x.", "+",
    ]
    let base = try SourceURL("https://base.example/p/q")
    for round in 0..<5_000 {
      let text = (0..<(1 + Int(generator.next() % 6))).map { _ in pieces[Int(generator.next() % UInt64(pieces.count))] }
        .joined()
      // A trailing empty query or a percent sign forces the long way without changing the rest.
      if let short = try? SourceURL("http://h.io/" + text), let long = try? SourceURL("HTTP://h.io/" + text) {
        #expect(short == long, "round \(round): \(text)")
      }
      if let short = try? SourceURL(text, relativeTo: base), let long = try? SourceURL("./" + text, relativeTo: base),
        !text.isAbsolutePath, !text.hasPrefix("?"), !text.contains(":")
      {
        #expect(short == long, "round \(round): \(text)")
      }
      let short = try? Destination(text, root: "/r")
      let long = text.isAbsolutePath ? short : try? Destination("./" + text, root: "/r")
      #expect(short == long, "round \(round): \(text)")
    }
  }
}
