import DLSyncTestSupport
import Glibc
import Testing

/// `--netrc` from the outside: who is told who asks, and who is not.
@Suite struct NetrcOptionTests {
  private static let identity = "Basic bWU6U0VDUkVU"
  private let sandbox: Sandbox
  private let elsewhere: Origin
  private let bytes = payload(count: 1000)

  init() throws {
    sandbox = try Sandbox()
    elsewhere = try Origin()
    try write("default login me password SECRET\n")
  }

  private func write(_ text: String, name: String = ".netrc") throws {
    try sandbox.folder.write(text, to: "home/\(name)")
    chmod(sandbox.folder("home/\(name)"), 0o600)
  }

  /// Serves the file to whoever says who asks.
  private func guarded(_ origin: Origin, _ path: String) -> String {
    let file = Script.file(bytes)
    return origin.serve(path) { $0.header("Authorization") == Self.identity ? file : .status(401) }
  }

  @Test func identityIsSentOnlyWhereItIsAskedFor() throws {
    _ = guarded(sandbox.origin, "/a")
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let without = try sandbox.run("apply", manifest)
    #expect(without.status == 1 && without.output.contains("--netrc"), "\(without)")
    let with = try sandbox.run("apply", manifest, "--netrc", "--verbose")
    #expect(with.status == 0 && sandbox.published("a") == bytes, "\(with)")
    #expect(!(with.output + with.errors).contains("SECRET"))
    for path in sandbox.folder.files(below: "home/.local") {
      let stored = String(decoding: sandbox.folder.read("home/.local/\(path)") ?? [], as: UTF8.self)
      #expect(!stored.contains("SECRET") && !stored.contains("bWU6U0VDUkVU"), "\(path)")
    }
  }

  @Test func everyCommandThatFetchesTakesIt() throws {
    let url = guarded(sandbox.origin, "/a")
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("get", url, "-o", "x", "--netrc").status == 0)
    try write("machine 127.0.0.1 login me password SECRET\n", name: "mine")
    #expect(
      try sandbox.run("get", url, "-o", "y", "--netrc=" + sandbox.folder("home/mine")).status == 0)
    #expect(try sandbox.run("lock", manifest, "--netrc").status == 0)
    #expect(try sandbox.run("verify", manifest, "--repair", "--netrc").status == 0)
    let plan = try sandbox.run("plan", manifest, "--refresh", "--netrc")
    #expect(plan.status == 0 && !plan.errors.contains("could not ask"), "\(plan)")
  }

  @Test(arguments: ["plan", "apply", "verify"]) func aFileThatCannotBeReadLeavesOneDocument(command: String) throws {
    let first = try sandbox.manifest(files: [("/a", "a")])
    let second = try sandbox.manifest(files: [("/b", "b")], name: "second.yaml")
    let (result, document) = try sandbox.json(command, first, second, "--netrc=" + sandbox.folder("nowhere"))
    #expect(result.status == 2 && document["command"].string == command, "\(result)")
    #expect(document["error"]["code"].string == "usage", "\(result)")
  }

  @Test func redirectElsewhereLosesItAndMirrorsElsewhereNeverGetIt() throws {
    sandbox.origin.serve("/a", .redirect(to: elsewhere.serve("/t", .file(bytes))))
    sandbox.origin.serve("/b", .status(404))
    let mirror = elsewhere.serve("/m", .file(bytes))
    let sums = elsewhere.serve("/SUMS", .status(404))
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      files:
        - { url: '\(sandbox.origin.url("/a"))', destination: a }
        - { url: '\(sandbox.origin.url("/b"))', destination: b, mirrors: ['\(mirror)'] }
        - { url: '\(sandbox.origin.url("/c"))', destination: c, checksum: { algorithm: sha256, from: '\(sums)' } }
      """)
    let result = try sandbox.run("apply", manifest, "--netrc")
    #expect(sandbox.published("a") == bytes && sandbox.published("b") == bytes, "\(result)")
    #expect(sandbox.origin.requests().allSatisfy { $0.header("Authorization") == Self.identity })
    #expect(elsewhere.requests().count == 3)
    #expect(elsewhere.requests().allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func listOfTheSameOriginIsAskedInTheSameName() throws {
    let url = guarded(sandbox.origin, "/a")
    let sums = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n"
    sandbox.origin.serve("/SUMS") { request in
      request.header("Authorization") == Self.identity ? .file(Array(sums.utf8)) : .status(401)
    }
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      files:
        - url: '\(url)'
          destination: a
          checksum: { algorithm: sha256, from: '\(sandbox.origin.url("/SUMS"))' }
      """)
    let result = try sandbox.run("apply", manifest, "--netrc")
    #expect(result.errors.contains("is not the expected file"), "\(result)")
  }

  @Test func fileThatCannotBeUsedStopsEverything() throws {
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let missing = try sandbox.run("apply", manifest, "--netrc=/nowhere/netrc")
    #expect(
      missing.status == 2 && missing.errors.contains("could not read \"/nowhere/netrc\""),
      "\(missing)")
    try write("machine x password\n")
    let broken = try sandbox.run("apply", manifest, "--netrc")
    #expect(
      broken.status == 2 && broken.errors.contains("line 1: nothing stands behind \"password\""),
      "\(broken)")
    #expect(sandbox.origin.connectionCount == 0)
  }

  @Test func passwordsThatOthersMayReadAreWarnedOf() throws {
    _ = guarded(sandbox.origin, "/a")
    chmod(sandbox.folder("home/.netrc"), 0o644)
    let result = try sandbox.run("get", sandbox.origin.url("/a"), "-o", "x", "--netrc")
    #expect(result.status == 0 && result.errors.contains("chmod 600"), "\(result)")
  }

  @Test func agentIsRefusedWhatItCannotRead() throws {
    _ = guarded(sandbox.origin, "/a")
    let manifest = try sandbox.manifest(files: [("/a", "a")], queue: "{ mode: background }")
    let refused = try sandbox.run("apply", manifest, "--netrc")
    #expect(refused.status == 2 && refused.errors.contains("does not read netrc"), "\(refused)")
    #expect(sandbox.origin.connectionCount == 0)
    #expect(try sandbox.run("apply", manifest, "--netrc", "--foreground").status == 0)
  }
}
