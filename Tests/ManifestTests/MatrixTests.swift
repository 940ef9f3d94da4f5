import DLSyncManifest
import DLSyncModel
import Testing

/// One entry that stands for many.
@Suite struct MatrixTests {
  @Test func everyCombinationIsAnEntryInTheOrderOfTheText() throws {
    let manifest = try Reading.manifest(
      """
      version: 1
      vars: {v: x}
      files:
        - url: http://h/${os}-${arch}.tgz
          destination: ${arch}/${v}/
          headers: {X-Os: "${os}"}
          tags: ["${arch}"]
          checksum: null
          matrix: {arch: [amd64, arm64], os: [linux, "${v}c"]}
        - http://h/last
      """)
    #expect(
      manifest.files.map(\.destination.path) == [
        "/work/amd64/x/linux-amd64.tgz", "/work/amd64/x/xc-amd64.tgz", "/work/arm64/x/linux-arm64.tgz",
        "/work/arm64/x/xc-arm64.tgz", "/work/last",
      ])
    #expect(manifest.files[1].options.headers == [HeaderField("X-Os", "xc")])
    #expect(manifest.files[2].options.settings.tags == ["arm64"])
    #expect(manifest.files.prefix(4).allSatisfy { $0.line == 4 && $0.column == 5 })
  }

  @Test func namesOfAMatrixCountWithinItsEntryAlone() {
    let text = "version: 1\nfiles:\n- {url: 'http://h/${a}', matrix: {a: [1]}}\n- {url: 'http://h/${a}'}\n"
    #expect(Reading.short(text) == ["4:9 files[1].url: the variable \"a\" is not defined"])
  }

  @Test func aMatrixShadowsVariablesAndMayBeMergedIn() throws {
    let manifest = try Reading.manifest(
      """
      version: 1
      vars: {a: outer}
      files:
        - &m {url: "http://h/${a}", matrix: {a: [1, 2]}}
        - {<<: *m, url: "http://h/x${a}"}
      """, variables: ["a": "given"])
    #expect(manifest.files.map(\.url.text) == ["http://h/1", "http://h/2", "http://h/x1", "http://h/x2"])
  }

  @Test(arguments: ["[]", "~", "x", "{b: [1]}"]) func listOfValuesIsAListWithValues(_ values: String) {
    #expect(Reading.short("version: 1\nfiles:\n- {url: 'http://h/${a}', matrix: {a: \(values)}}\n").count == 1)
  }

  @Test func errorOfAnEntryIsToldOnceForAllCombinations() {
    let text = "version: 1\nfiles:\n- {url: 'http://h/${a}', size: big, matrix: {a: [1, 2, 3]}}\n"
    #expect(Reading.short(text) == ["3:32 files[0].size: \"big\" is not a size"])
  }

  @Test func aMillionEntriesAreTheLimit() throws {
    let ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
    func text(_ names: Int, _ last: String = "") -> String {
      let axes = (0..<names).map { "n\($0): \(ten)" }.joined(separator: ", ")
      let digits = (0..<names).map { "${n\($0)}" }.joined()
      return "version: 1\nfiles:\n- {url: 'http://h/\(digits)', matrix: {\(axes)\(last)}}\n"
    }
    let manifest = try Reading.manifest(text(4))
    #expect(manifest.files.count == 10_000)
    #expect(manifest.files[1234].url.text == "http://h/1234")
    #expect(
      Reading.short(text(6, ", m: [1, 2]")) == [
        "3:60 files[0].matrix: the matrix stands for more than 1000000 entries"
      ])
    #expect(Reading.short(text(40)).count == 1)
  }

  @Test func aliasesCannotMultiplyMatrices() {
    let values = (0..<1000).map(String.init).joined(separator: ", ")
    // The entry with the anchor is wrong, so that only the alias stands for a million entries.
    let text =
      "version: 1\nfiles:\n- &m {url: 'http://h/${a}/${b}', size: big, matrix: {a: &v [\(values)], b: *v}}\n"
      + "- {<<: *m, size: 1}\n"
    let said = Reading.short(text)
    #expect(said.count == 2)
    #expect(said.last?.contains("aliases expand this document") == true, "\(said)")
  }
}
