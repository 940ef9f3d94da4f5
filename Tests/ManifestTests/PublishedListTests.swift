import DLSyncManifest
import DLSyncModel
import Testing

/// Lists of checksums as people publish them.
@Suite struct PublishedListTests {
  private static let a = String(repeating: "0a", count: 32)
  private static let b = String(repeating: "B0", count: 32)
  private static let m = String(repeating: "c1", count: 16)
  private static let long = String(repeating: "d2", count: 64)

  /// A text, what is asked, and what comes: hexadecimal digits, `missing` or `ambiguous`.
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let name: String
    let algorithm: DigestAlgorithm?
    let answer: String

    init(_ text: String, _ name: String, _ algorithm: DigestAlgorithm?, _ answer: String) {
      self.text = text
      self.name = name
      self.algorithm = algorithm
      self.answer = answer
    }

    init(_ text: String, _ name: String, _ answer: String) { self.init(text, name, .sha256, answer) }

    init(_ text: String, _ answer: String) { self.init(text, "f", .sha256, answer) }

    var testDescription: String { text }
  }

  static let rows: [Row] = [
    .init("\(a)  f\n", a), .init("\(a) *f", a), .init("\(a) f\n", a), .init("\(a)\tf\n", a),
    .init("\(b)  g\r\n\(a)  f\r\n", a), .init("\(b)  g\r\(a)  f", a), .init(b + "  f\n", b.lowercased()),
    .init("\u{feff}# sums\n\n\(a)  f\n", a), .init("  \(a)  f\n", a), .init("\(a)", a), .init("\(a)  \n\n", a),
    .init("SHA256 (f) = \(a)\nSHA256 (g) = \(b)\n", a), .init("SHA256(f)= \(a)\n", a), .init("SHA2-256(f)= \(a)\n", a),
    .init("MD5 (f) = \(m)\nSHA256 (f) = \(a)\n", a), .init("MD5 (f) = \(m)\nSHA256 (f) = \(a)\n", "f", .md5, m),
    .init("MD5 (f) = \(m)\nSHA256 (f) = \(a)\n", "f", nil, a), .init("\(m)  f\n\(a)  f\n", "f", nil, a),
    .init("SHA256 (a (1).bin) = \(a)\n", "a (1).bin", a), .init("BLAKE2b (f) = \(long)\n", "f", .blake2b512, long),
    .init("BLAKE2b (f) = \(long)\n", "f", .sha512, "missing"), .init("\(long)  f\n", "f", .blake2b512, long),
    .init("\(a)  ./dist/f\n", a), .init("\(a)  ./f\n", a), .init("\(a)  dist/f\n", "dist/f", a),
    .init("\(a)  x/dist/f\n", "dist/f", a), .init("\(a)  xdist/f\n", "dist/f", "missing"),
    .init("\(b)  x/f\n\(a)  f\n", a), .init("\(b)  x/f\n\(a)  y/f\n", "ambiguous"), .init("\(a)  x/f\n\(a)  y/f\n", a),
    .init("\(b)  f\n\(a)  f\n", "ambiguous"), .init("\(a)  f\n\(a)  f\n", a),
    .init("\(a)  xf\n\(a)  f.asc\n", "missing"), .init("\(m)  f\n", "missing"), .init("\(a)  F\n", "missing"),
    .init("", "missing"), .init("\(a)\n\(b)\n", "ambiguous"), .init("\(a)\n\(b)  g\n", "missing"),
    .init("\(a)x  f\n", "missing"), .init("\\\(a)  a\\\\b\\nc\n", "a\\b\nc", a), .init("\(a)  a\\\\b\n", "a\\\\b", a),
    .init("\(a)  a  b \n", "a  b ", a), .init("\(a)  é\n", "é", a),
    .init(
      "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- \(a)  f\n-----BEGIN PGP SIGNATURE-----\n\n\(b)  f\n"
        + "-----END PGP SIGNATURE-----\n", a),
  ]

  @Test(arguments: rows) func aListTellsTheDigestOfAName(_ row: Row) {
    let answer =
      switch PublishedList(Array(row.text.utf8)).digest(of: row.name, algorithm: row.algorithm) {
      case .success(let digest): digest.hex
      case .failure(.missing): "missing"
      case .failure(.ambiguous): "ambiguous"
      }
    #expect(answer == row.answer)
  }

  @Test func placesOfListsFollowBaseURLUnlessTheyArePaths() throws {
    func places(_ head: String, _ from: String...) throws -> [String] {
      let entries = from.map { "- {url: 'http://h/a', checksum: {from: '\($0)', algorithm: sha256}}\n" }.joined()
      return try Reading.manifest("version: 1\n\(head)files:\n\(entries)").files.map {
        $0.options.settings.listedChecksums[0].place.description
      }
    }
    #expect(
      try places("", "SUMS", "./SUMS", "../SUMS", "/SUMS", "~/SUMS", "http://h/SUMS")
        == ["/work/SUMS", "/work/SUMS", "/SUMS", "/SUMS", "/home/me/SUMS", "http://h/SUMS"])
    #expect(
      try places("baseURL: http://b/x/y/\n", "SUMS", "./SUMS", "../SUMS", "/SUMS", "~/SUMS")
        == ["http://b/x/y/SUMS", "/work/SUMS", "http://b/x/SUMS", "http://b/SUMS", "/home/me/SUMS"])
  }

  @Test func anEntrysOwnChecksumReplacesAnInheritedList() throws {
    let manifest = try Reading.manifest(
      """
      version: 1
      defaults: {checksum: {from: SUMS, algorithm: sha256}}
      files:
        - http://h/a
        - {url: http://h/b, checksum: \(Self.a)}
        - {url: http://h/c, checksum: [\(Self.a), {from: OTHER}]}
      """)
    let files = manifest.files
    #expect(files.map { $0.options.settings.listedChecksums.count } == [1, 0, 1])
    #expect(files.map(\.checksums.count) == [0, 1, 1])
    #expect(files[0].name(in: files[0].options.settings.listedChecksums[0]) == "a")
    #expect(files.map { $0.options.listMark == 0 } == [false, true, false])
  }
}
