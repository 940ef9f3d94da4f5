import DLSyncModel
import Testing

@testable import DLSyncKit

@Suite struct NetrcTests {
  private static let source = "/home/me/.netrc"

  private static func netrc(_ text: String) throws -> Netrc {
    Netrc(try NetrcReader.read(Array(text.utf8), source: source))
  }

  /// What is sent to a host: `login:password` in base 64, or nothing.
  @Test(arguments: [
    ("machine a.example login me password pw", "a.example", "bWU6cHc="),
    ("machine A.Example\n\tlogin me\n\tpassword pw\n", "a.example", "bWU6cHc="),
    (
      "machine b login x password y\nmachine a.example login me password pw", "a.example",
      "bWU6cHc="
    ),
    (
      "machine a.example login me password pw machine a.example login other password no",
      "a.example", "bWU6cHc="
    ),
    ("default login me password pw", "anything.example", "bWU6cHc="),
    ("machine a.example login me password pw\ndefault login x password y", "a.example", "bWU6cHc="),
    ("# who I am\nmachine a.example # there\nlogin me password pw", "a.example", "bWU6cHc="),
    ("machine a.example login me account none password pw", "a.example", "bWU6cHc="),
    ("machine a.example login me password \"p w\\\"\"", "a.example", "bWU6cCB3Ig=="),
    ("machine a.example login me password #1", "a.example", "bWU6IzE="),
    ("machine a.example login me", "a.example", "bWU6"),
    ("machine a.example login mé password pw", "a.example", "bcOpOnB3"),
    (
      "macdef init\nmachine a.example login no\n\nmachine a.example login me password pw",
      "a.example", "bWU6cHc="
    ),
    ("machine ::1 login me password pw", "[::1]", "bWU6cHc="),
    ("machine a.example password pw", "a.example", nil),
    ("machine b.example login me password pw", "a.example", nil),
    ("machine example login me password pw", "a.example", nil), ("", "a.example", nil),
    ("\r\n", "a.example", nil),
  ])
  func identityIsThatOfTheMachine(_ text: String, _ host: String, _ basic: String?) throws {
    let url = try SourceURL("https://\(host)/f")
    #expect(try Self.netrc(text).authorization(for: url)?.value == basic.map { "Basic \($0)" })
  }

  @Test(arguments: [
    ("machine", "line 1: nothing stands behind \"machine\""),
    ("machine a login me password", "line 1: nothing stands behind \"password\""),
    ("\nlogin me", "line 2: \"login\" stands before any \"machine\""),
    ("machine a\nlogin me SECRET", "line 2: a word that netrc does not know"),
    ("machine a login me password \"SECRET\nx\"", "line 1: a quote that is not closed"),
    ("machine a login me:SECRET", "line 1: a login with a colon cannot be sent (RFC 7617)"),
    ("machine a login me password a\0b", "line 1: a word that is not UTF-8"),
  ])
  func whatIsNotUnderstoodIsRefusedWithItsLineAndNoWordOfIt(_ text: String, _ why: String) {
    let error = #expect(throws: DLSyncError.self) { try Self.netrc(text) }
    #expect(error?.message == "could not understand \"\(Self.source)\": \(why)")
    #expect(error?.code == .usage)
  }

  @Test func descriptionSaysNothingOfTheIdentities() throws {
    let netrc = try Self.netrc("machine a.example login me password SECRET")
    #expect(!"\(netrc)".contains("SECRET"))
  }

  @Test func identityStaysWithTheOriginOfTheEntry() throws {
    let netrc = try Self.netrc("default login me password pw")
    let entry = try Self.entry("https://a.example/f")
    for (source, isSent) in [
      ("https://a.example/f", true), ("https://a.example/SUMS", true),
      ("https://a.example:8443/f", false),
      ("http://a.example/f", false), ("https://b.example/f", false),
    ] {
      #expect(entry.headers(to: try SourceURL(source), netrc).isEmpty != isSent, "\(source)")
    }
    #expect(entry.headers(to: entry.url, nil) == [])
  }

  @Test func entryWithAnIdentityOfItsOwnKeepsIt() throws {
    let netrc = try Self.netrc("default login me password pw")
    let own = HeaderField("authorization", "Bearer own")
    let entry = try Self.entry("https://a.example/f", headers: [own])
    #expect(entry.headers(to: entry.url, netrc) == [own])
  }

  private static func entry(_ url: String, headers: [HeaderField] = []) throws -> FileEntry {
    var settings = FileSettings()
    settings.headers = headers
    return FileEntry(
      scope: Scope("test"), url: try SourceURL(url), destination: try Destination("f", root: "/"),
      queue: .default,
      checksums: [], options: FileOptions(settings))
  }
}
