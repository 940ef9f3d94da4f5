import DLSyncManifest
import DLSyncModel
import Testing

/// What right manifests mean.
@Suite struct ManifestTests {
  private static let head = "version: 1\n"

  private func file(_ keys: String, head: String = "") throws -> FileEntry {
    let manifest = try Reading.manifest("version: 1\n\(head)files:\n- {url: http://h/a.bin, \(keys)}\n")
    return try #require(manifest.files.first)
  }

  @Test func smallestManifestHasOnlyTheDefaultQueue() throws {
    let manifest = try Reading.manifest("version: 1\nfiles: []\n")
    #expect(manifest.files.isEmpty)
    #expect(manifest.queues == [QueueDeclaration(.default, QueueConfiguration())])
    #expect(manifest.scope == Scope("/work/m.yaml"))
    #expect(manifest.root == "/work")
    #expect(manifest.source == "m.yaml")
  }

  @Test func entryKnowsItsPlaceAndItsDefaults() throws {
    let manifest = try Reading.manifest(
      "version: 1\nname: n\nfiles:\n  - http://h/p/a%20b.bin?x=1&y=/z\n  - url: http://h/c\n")
    let entry = manifest.files[0]
    #expect(entry.destination.path == "/work/a b.bin")
    #expect(entry.url.text == "http://h/p/a%20b.bin?x=1&y=/z")
    #expect((entry.line, entry.column) == (4, 5))
    #expect((manifest.files[1].line, manifest.files[1].column) == (5, 5))
    #expect(entry.id == TaskID(scope: Scope("n"), queue: .default, destination: "/work/a b.bin"))
    #expect(entry.priority == 0.5 && entry.size == nil && entry.checksums.isEmpty && entry.queue == .default)
    #expect(entry.options.permissions == nil && entry.options.onConflict == .fail && entry.options.headers.isEmpty)
  }

  @Test(arguments: [
    "1.10", "NO", "on", "0755", "0o17", "12:30:45", "1e3", "1_000", "0x10", "2024-01-01", ".inf", "=", "true", "0",
    "1.",
    "+1", "6.0", "-.nan", "y", "1e400", "0b11", "00", "190:20:30", "'null'", "$HOME", "x~/~y", "a:b|c.bin",
    "27604_8#1.bin", "'[x]{y}.bin'", "-rf", "'%41.bin'", "x/..y", "ř.bin", "!!str null",
  ]) func textIsReadAsWritten(_ written: String) throws {
    let plain = written.replacing("!!str ", with: "").replacing("'", with: "")
    let manifest = try Reading.manifest(
      "version: 1\nqueues:\n  q: {}\nfiles:\n- url: http://h/a\n  destination: \(written)\n")
    #expect(manifest.files[0].destination.relativePath == plain)
  }

  @Test(arguments: [
    ("1000", 1000), ("1kB", 1000), ("1 KiB", 1024), ("1K", 1024), ("1MB", 1_000_000), ("2M", 2 << 20),
    ("1GB", 1_000_000_000), ("3G", 3 << 30), ("1TB", 1_000_000_000_000), ("1TiB", 1 << 40), ("1T", 1 << 40), ("0", 0),
    ("\"7\"", 7), ("9223372036854775807", Int64.max),
  ]) func sizesCountAsTheirLettersSay(_ written: String, _ bytes: Int64) throws {
    #expect(try file("size: \(written)").size == ByteCount(bytes))
  }

  @Test(arguments: [
    ("0", 0), ("1", 1), ("0.9", 0.9), (".5", 0.5), ("1.0", 1), ("0.25", 0.25), ("1e-05", 1e-5), ("1.0E-5", 1e-5),
    (".5e+0", 0.5),
    ("0e0", 0), ("1e-999", 0),
  ])
  func priorityIsADecimalNumber(_ written: String, _ value: Double) throws {
    #expect(try file("priority: \(written)").priority == value)
  }

  @Test(arguments: [("0644", 0o644), ("\"644\"", 0o644), ("'0600'", 0o600), ("00", 0), ("\"0\"", 0)])
  func permissionsAreOctal(_ written: String, _ mode: UInt16) throws {
    #expect(try file("permissions: \(written)").options.permissions == mode)
  }

  @Test(arguments: [
    ("true", true), ("True", true), ("TRUE", true), ("false", false), ("False", false), ("FALSE", false),
  ])
  func truthIsSpeltAsYAMLSpellsIt(_ written: String, _ value: Bool) throws {
    let manifest = try Reading.manifest(
      "version: 1\nqueues: {default: {network: {allowMetered: \(written)}}}\nfiles: []\n")
    #expect(manifest.queues[0].configuration.network.allowMetered == value)
  }

  @Test func checksumTakesEverySpelling() throws {
    let bytes = (0..<32).map { UInt8($0) }
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let digest = Digest(.sha256, bytes: bytes)
    for text in [
      hex, "sha256:\(hex)", "'SHA256:\(hex.uppercased())'", "'sha-256:\(hex)'", "\"  sha256:\(hex)\\r\\n\"",
      "sha256-AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "{algorithm: SHA256, value: ' \(hex.uppercased()) '}",
      "{value: \(hex)}", "{algorithm: sha256, value: 'sha256:\(hex)'}", "[\(hex)]", "[\(hex), 'sha256:\(hex)']",
      "!!str \(hex)",
    ] {
      #expect(try file("checksum: \(text)").checksums == [digest], "\(text)")
    }
    #expect(try file("checksum: null").checksums.isEmpty)
    #expect(try file("checksum: ~").checksums.isEmpty)
  }

  @Test(arguments: [32: DigestAlgorithm.md5, 40: .sha1, 56: .sha224, 64: .sha256, 96: .sha384, 128: .sha512])
  func bareDigitsTellTheirAlgorithm(_ digits: Int, _ algorithm: DigestAlgorithm) throws {
    let zeros = String(repeating: "0", count: digits)
    #expect(try file("checksum: \(zeros)").checksums.map(\.algorithm) == [algorithm])
    #expect(
      try file("checksum: {algorithm: blake2b-512, value: '\(String(repeating: "0", count: 128))'}").checksums.map(
        \.algorithm) == [.blake2b512])
  }

  @Test func destinationTakesItsNameFromTheURL() throws {
    for (keys, path) in [
      ("destination: d/", "/work/d/a.bin"), ("destination: /", "/a.bin"), ("destination: ~", "/work/a.bin"),
      ("destination: ", "/work/a.bin"), ("destination: null", "/work/a.bin"), ("destination: /x/../y//z", "/y/z"),
      ("destination: './~/x'", "/work/~/x"),
    ] {
      #expect(try file(keys).destination.path == path, "\(keys)")
    }
  }

  @Test func rootIsRelativeToTheManifest() throws {
    for (root, path) in [
      ("out", "/work/out"), ("./out/", "/work/out"), ("../out", "/out"), ("~", "/home/me"), ("~/x", "/home/me/x"),
      ("/", "/"), ("/a/./b/../c", "/a/c"), ("null", "/work"), ("", "/work"), (".", "/work"), ("'~'", "/home/me"),
    ] {
      #expect(try Reading.manifest("version: 1\nroot: \(root)\nfiles: []\n").root == path, "\(root)")
    }
  }

  @Test func homeFolderMustBeKnown() {
    let result = Reading.decode("version: 1\nroot: ~/x\nfiles: []\n", environment: [:])
    guard case .failure(let error) = result else { return #expect(Bool(false), "a manifest without a home") }
    #expect(
      error.diagnostics.map(\.message) == [
        "`~` cannot be replaced: the environment variable HOME is not set to an absolute path"
      ])
  }

  @Test func standardInputNeedsAName() throws {
    let result = Reading.decode("version: 1\nfiles: []\n", source: "-")
    guard case .failure(let error) = result else { return #expect(Bool(false), "a manifest without a scope") }
    #expect(
      error.diagnostics.map(\.message) == [
        "the key `name` is missing: a manifest from standard input has no path to be known by"
      ])
    #expect(try Reading.decode("version: 1\nname: no\nfiles: []\n", source: "-").get().scope == Scope("no"))
  }

  @Test func relativeURLsResolveAgainstTheBase() throws {
    let manifest = try Reading.manifest(
      "version: 1\nbaseURL: https://h/t/v?q=1\nfiles: [a.bin, ../b, '?c=d', //x/y, \"a b\", http://z/w]\n".replacing(
        "'?c=d'", with: "{url: '?c=d', destination: c}"))
    #expect(
      manifest.files.map(\.url.text) == [
        "https://h/t/a.bin", "https://h/b", "https://h/t/v?c=d", "https://x/y", "https://h/t/a%20b", "http://z/w",
      ])
  }
}
