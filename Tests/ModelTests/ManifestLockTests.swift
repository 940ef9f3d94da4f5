import DLSyncModel
import Testing

@Suite struct ManifestLockTests {
  private static let first = Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32))!
  private static let second = Digest(.sha256, bytes: [UInt8](repeating: 2, count: 32))!

  private func entry(
    _ destination: String, url: String = "https://example.org/a", checksums: [Digest] = [], size: Int64? = nil
  ) throws -> FileEntry {
    FileEntry(
      scope: Scope("s"), url: try SourceURL(url), destination: try Destination(destination, root: "/r"),
      checksums: checksums, size: size.map { ByteCount($0) })
  }

  private func line(_ destination: String, url: String = "https://example.org/a") -> ManifestLock.Line {
    ManifestLock.Line(destination: destination, url: url, size: ByteCount(7), sha256: Self.first)
  }

  private func held(_ files: [FileEntry], _ lines: [ManifestLock.Line]) -> Manifest {
    let manifest = Manifest(scope: Scope("s"), source: "m.yaml", root: "/r", queues: [], files: files)
    return manifest.held(to: ManifestLock(lines), source: "m.lock")
  }

  @Test func filesAreHeldToTheirLines() throws {
    let manifest = try held([entry("a"), entry("/abs/b")], [line("a"), line("/abs/b")])
    #expect(manifest.lock?.uncovered == [])
    #expect(manifest.files.allSatisfy { $0.checksums == [Self.first] && $0.size == ByteCount(7) })
  }

  @Test func lineOfAnotherURLOrDigestDoesNotFit() throws {
    let manifest = try held(
      [entry("a", url: "https://example.org/new"), entry("b", checksums: [Self.second]), entry("c", size: 8)],
      [line("a"), line("b"), line("c")])
    #expect(manifest.lock?.uncovered == [0, 1, 2])
    #expect(manifest.files.map(\.checksums) == [[], [Self.second], []])
  }

  @Test func oneURLIsHeldToOneVersion() throws {
    let manifest = try held([entry("a"), entry("copy")], [line("a")])
    #expect(manifest.lock?.uncovered == [1])
    #expect(manifest.files[1].checksums == [Self.first])
  }

  @Test func credentialsOfAURLDoNotMatter() throws {
    let manifest = try held(
      [entry("a", url: "https://example.org/a?token=secret")], [line("a", url: "https://example.org/a")])
    #expect(manifest.lock?.uncovered == [])
  }

  @Test func formsOfOneCharacterAreDifferentNames() throws {
    let manifest = try held([entry("\u{e9}"), entry("e\u{301}", url: "https://example.org/b")], [line("\u{e9}")])
    #expect(manifest.lock?.uncovered == [1])
  }

  @Test(
    arguments: [
      ("m.yaml", "m.lock"), ("d/x.y.yml", "d/x.y.lock"), ("plain", "plain.lock"), (".yaml", ".lock"), ("-", nil),
      ("d/.yaml", "d/.yaml.lock"),
    ] as [(String, String?)])
  func lockFilesLieBesideTheirManifests(manifest: String, lock: String?) {
    #expect(ManifestLock.path(of: manifest) == lock)
  }
}
