import DLSyncTestSupport
import Testing

/// What users of other tools ran into with checksums and YAML, as whole runs: the outcome, the requests, what is left.
@Suite struct ReportedTroubleTests {
  private let sandbox: Sandbox
  private let one = payload(count: 3000, seed: 1)
  private let two = payload(count: 3000, seed: 2)

  init() throws {
    sandbox = try Sandbox()
    sandbox.origin.serve("/v1/a.bin", .file(one))
    sandbox.origin.serve("/v2/a.bin", .file(two, entityTag: "\"v2\""))
  }

  private func sha256(_ path: String) throws -> String {
    let manifest = try sandbox.manifest(files: [(path, "reference")], name: "reference.yaml")
    let digest = try sandbox.json("apply", manifest, "--cache", "off").document["files"][0]["sha256"].string
    // Nothing of it may be copied.
    #expect(try sandbox.run("remove", "--all", "--delete-file").status == 0)
    return try #require(digest)
  }

  private func apply(_ path: String, checksum: String? = nil, to destination: String = "a.bin") throws -> JSONValue {
    let each = checksum.map { ["checksum: \"\($0)\""] } ?? []
    let manifest = try sandbox.manifest(files: [(path, destination)], each: each)
    return try sandbox.json("apply", manifest).document
  }

  // MARK: Checksums

  @Test func spellingsOfADigestAreNoMismatch() throws {
    let digest = try sha256("/v1/a.bin")
    let upper = digest.uppercased()
    for (index, text) in [upper, " \(digest) ", "SHA256:\(upper)", "sha-256: \(digest)"].enumerated() {
      let document = try apply("/v1/a.bin?\(index)", checksum: text, to: "f\(index)")
      #expect(document["exitStatus"].integer == 0, "\(text)")
    }
  }

  @Test func aWrongDigitIsToldWithBothDigestsAndNotTriedAgain() throws {
    let digest = try sha256("/v1/a.bin")
    let wrong = (digest.hasPrefix("0") ? "1" : "0") + digest.dropFirst()
    let before = sandbox.origin.requests("/v1/a.bin").count
    let error = try apply("/v1/a.bin", checksum: wrong)["files"][0]["error"]
    #expect(error["code"].string == "checksumMismatch")
    let message = error["message"].string ?? ""
    #expect(message.contains(digest) && message.contains(wrong) && message.contains("sha256"))
    #expect(sandbox.origin.requests("/v1/a.bin").count == before + 1)
    #expect(sandbox.published("a.bin") == nil && sandbox.leftovers == [])
  }

  @Test func aNewURLWithTheOldDigestIsTheOldFile() throws {
    let digest = try sha256("/v1/a.bin")
    _ = try apply("/v1/a.bin", checksum: digest)
    let document = try apply("/v2/a.bin", checksum: digest)
    #expect(document["files"][0]["reason"].string == "unchanged")
    #expect(sandbox.origin.requests("/v2/a.bin").isEmpty)
  }

  @Test func aNewURLWithoutADigestIsNeverASilentReuse() throws {
    _ = try apply("/v1/a.bin")
    let document = try apply("/v2/a.bin")
    #expect(document["files"][0]["reason"].string == "changed")
    let isNew = sandbox.published("a.bin") == two
    #expect(isNew)
  }

  @Test func aNewDigestReplacesOnlyWithBytesThatHaveIt() throws {
    let (old, new) = (try sha256("/v1/a.bin"), try sha256("/v2/a.bin"))
    _ = try apply("/v1/a.bin", checksum: old)
    let refused = try apply("/v1/a.bin", checksum: new)
    #expect(refused["files"][0]["error"]["code"].string == "checksumMismatch")
    let isOld = sandbox.published("a.bin") == one
    #expect(isOld)
    #expect(try apply("/v2/a.bin", checksum: new)["exitStatus"].integer == 0)
    let isNew = sandbox.published("a.bin") == two
    #expect(isNew)
  }

  @Test func aNewDestinationLeavesTheOldFile() throws {
    let digest = try sha256("/v1/a.bin")
    _ = try apply("/v1/a.bin", checksum: digest)
    let before = sandbox.origin.requests("/v1/a.bin").count
    let document = try apply("/v1/a.bin", checksum: digest, to: "b.bin")
    #expect(document["orphans"].array?.count == 1)
    let areThere = sandbox.published("a.bin") == one && sandbox.published("b.bin") == one
    #expect(areThere && sandbox.origin.requests("/v1/a.bin").count == before)
  }

  // MARK: Manifest and YAML

  @Test(
    arguments: [
      "files: [{url: http://h/a, url: http://h/b}]", "files: [{url: http://h/a, \"url\": http://h/b}]",
      "queues: {}\nqueues: {}\nfiles: []", "queues: {q: {concurrency: 1, concurrency: 6}}\nfiles: []",
      "queues: {q: {}, \"q\": {}}\nfiles: []", "files: [{url: http://h/a, headers: {X-A: b, x-a: c}}]",
      "vars: {1: a, \"1\": b}\nfiles: []",
    ])
  func keysThatComeTwiceAreErrorsWithBothPlaces(_ text: String) throws {
    let result = try sandbox.run("apply", try sandbox.manifest("version: 1\n\(text)\n"))
    #expect(result.status == 2 && result.errors.contains("line "), "\(result)")
    #expect(!sandbox.folder.holds("home/.local/state/dlsync"))
  }

  @Test func wordsOfOtherTypesAreTextsAsWritten() throws {
    let words = ["1.10", "NO", "on", "0755", "0o17", "12-30", "1e3", "1_000", "0x10", "2024-01-01", ".inf", "="]
    let files = words.map { (path: "/v1/a.bin?\($0)", destination: $0) }
    var lines = ["version: 1", "root: out", "files:"]
    for file in files {
      lines += ["  - url: \"\(sandbox.origin.url(file.path))\"", "    destination: \(file.destination)"]
    }
    let manifest = try sandbox.manifest(lines.joined(separator: "\n") + "\n")
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(
      Set(sandbox.folder.files(below: "work/out").map { $0.split(separator: "/").last.map(String.init) }) == Set(words))
  }

  @Test func mergedSettingsCountAsMuchAsWrittenOnes() throws {
    sandbox.origin.serve("/bad", .status(503))
    let text = """
      version: 1
      queues:
        a: &d { retry: { maxAttempts: 2, baseDelay: 1ms, maxDelay: 1ms } }
        b: { <<: *d, concurrency: 1 }
        c: { <<: *d, retry: { maxAttempts: 3, baseDelay: 1ms, maxDelay: 1ms } }
      files:
        - { url: "\(sandbox.origin.url("/bad?b"))", destination: out/b, queue: b }
        - { url: "\(sandbox.origin.url("/bad?c"))", destination: out/c, queue: c }

      """
    #expect(try sandbox.run("apply", try sandbox.manifest(text)).status == 1)
    let asked = sandbox.origin.requests("/bad").map(\.target)
    #expect(asked.count { $0 == "/bad?b" } == 2 && asked.count { $0 == "/bad?c" } == 3)
    let wrong = try sandbox.run("check", try sandbox.manifest("version: 1\nqueues: {q: {<<: 5}}\nfiles: []\n"))
    #expect(wrong.status == 2)
  }

  @Test(arguments: ["", "# nothing\n", "---\n", "{}\n", "[]\n", "null\n", "version: 1\nqueues: []\n"])
  func aManifestThatSaysNothingIsAnError(_ text: String) throws {
    let result = try sandbox.run("apply", try sandbox.manifest(text))
    #expect(result.status == 2 && !result.errors.isEmpty, "\(result)")
    #expect(!sandbox.folder.holds("home/.local/state/dlsync"))
  }

  @Test func anEmptyListOfFilesIsSaidAloud() throws {
    let result = try sandbox.run("apply", try sandbox.manifest("version: 1\nfiles: []\n"))
    #expect(result.status == 0 && result.output.contains("0 downloaded"), "\(result)")
    for path in ["absent.yaml", ".", "/dev/null"] { #expect(try sandbox.run("apply", path).status == 2, "\(path)") }
  }

  @Test func unsetVariablesAreErrorsAndValuesAreText() throws {
    let text = """
      version: 1
      # ${NOT_SET} in a comment
      files:
        - { url: "http://h/${env:NOT_SET}/a", headers: { A: "Bearer ${env:ALSO_NOT}" } }

      """
    let result = try sandbox.run("check", try sandbox.manifest(text))
    #expect(result.status == 2 && result.errors.contains("NOT_SET") && result.errors.contains("ALSO_NOT"))
    let right = try sandbox.manifest(
      files: [("/v1/a.bin", "${env:NAME}")], each: ["headers: { X-A: \"${env:VALUE}\", X-B: \"$5 $${x}\" }"])
    let environment = ["NAME": "a: b #c", "VALUE": "{${HOME}: 'x'}"]
    #expect(try sandbox.run("apply", right, environment: environment).status == 0)
    let isThere = sandbox.published("a: b #c") == one
    #expect(isThere)
    let request = sandbox.origin.requests("/v1/a.bin").last
    #expect(request?.header("X-A") == "{${HOME}: 'x'}" && request?.header("X-B") == "$5 ${x}")
  }
}
