import Testing

@testable import DLSyncModel

@Suite struct SourceURLTests {
  /// What is written, and what is asked for. Each is one request, encoded at most once.
  static let accepted: [(String, String)] = [
    ("http://h/a.bin", "http://h/a.bin"),
    (
      "https://downloads.example.org:8443/tools/x-1.0.tar.gz?x=1&y=2",
      "https://downloads.example.org:8443/tools/x-1.0.tar.gz?x=1&y=2"
    ),
    ("HTTP://EXAMPLE.org/A", "http://example.org/A"),
    ("http://h", "http://h/"), ("http://h?q", "http://h/?q"), ("http://h/?", "http://h/?"),
    ("http://h/a.bin?", "http://h/a.bin?"),
    ("http://h:80/", "http://h/"), ("https://h:443/", "https://h/"), ("http://h:443/", "http://h:443/"),
    ("http://h:/a", "http://h/a"), ("http://h:0080/a", "http://h/a"), ("http://h:65535/", "http://h:65535/"),
    ("http://h./a", "http://h./a"), ("http://under_score.example/a", "http://under_score.example/a"),
    // brackets, braces, blanks, other letters, escapes
    ("http://h/v[1-3]{x,y}/a.bin", "http://h/v[1-3]{x,y}/a.bin"),
    ("http://h/q?d=[2020+TO+2021]", "http://h/q?d=[2020+TO+2021]"),
    ("http://h/a b.bin", "http://h/a%20b.bin"), ("http://h/ř.bin", "http://h/%C5%99.bin"),
    ("http://h/a\u{301}/日本.bin?n=ü", "http://h/a%CC%81/%E6%97%A5%E6%9C%AC.bin?n=%C3%BC"),
    ("http://h/%41%2f%20", "http://h/%41%2f%20"), ("http://h/100%25", "http://h/100%25"),
    ("http://h/100%", "http://h/100%"),
    (
      "http://h/k%2Fe%252Fy+1%7E/%40.bin?c=K%252Fus&s=a+b%20c%2B%3D&e=",
      "http://h/k%2Fe%252Fy+1%7E/%40.bin?c=K%252Fus&s=a+b%20c%2B%3D&e="
    ),
    ("http://h/semi;v=1,2/a:b@c!$&'()*~.bin?x=/?:@!$'()*,;", "http://h/semi;v=1,2/a:b@c!$&'()*~.bin?x=/?:@!$'()*,;"),
    ("http://h//double//slash", "http://h//double//slash"),
    ("http://h/a|b^c`d\"e<f>g\\h", "http://h/a|b%5Ec%60d%22e%3Cf%3Eg%5Ch"),
    // dot segments, in the path alone
    ("http://h/a/./b/../c", "http://h/a/c"), ("http://h/a/%2e%2E/c", "http://h/c"), ("http://h/.%2e/a", "http://h/a"),
    ("http://h/..", "http://h/"), ("http://h/%2E", "http://h/"), ("http://h/a/.", "http://h/a/"),
    ("http://h/a/..", "http://h/"),
    ("http://h/../../a", "http://h/a"), ("http://h/a//../b", "http://h/a/b"), ("http://h/.hidden", "http://h/.hidden"),
    ("http://h/..a/...", "http://h/..a/..."), ("http://h/a?x=/../b", "http://h/a?x=/../b"),
    // addresses and international names
    ("http://127.0.0.1:9/a", "http://127.0.0.1:9/a"), ("http://[::1]:8080/a", "http://[::1]:8080/a"),
    ("http://[2001:DB8::1]/a", "http://[2001:db8::1]/a"),
    ("http://[::ffff:127.0.0.1]/a", "http://[::ffff:127.0.0.1]/a"),
    ("http://[fe80::1%25eth0]/a", "http://[fe80::1%25eth0]/a"),
    ("http://BÜCHER.example/a", "http://bücher.example/a"), ("http://例え。テスト/a", "http://例え.テスト/a"),
  ]

  @Test(arguments: accepted)
  func whatPeopleWriteIsNormalisedOnce(_ written: String, _ expected: String) throws {
    let url = try SourceURL(written)
    #expect(url.text == expected)
    #expect(try SourceURL(url.text) == url, "normalising twice is normalising once")
  }

  static let refused: [(String, SourceURL.Problem)] = [
    ("", .empty), ("a/b", .relative), ("/a", .relative), ("//h/a", .relative), ("?q", .relative),
    ("example.org/a", .relative),
    ("ftp://h/a", .scheme("ftp")), ("file:///etc/passwd", .scheme("file")), ("localhost:8080/a", .scheme("localhost")),
    ("http://user:pw@h/a", .userInformation), ("http://user@h/a", .userInformation), ("http://@h/", .userInformation),
    ("http://a@b@h/", .userInformation),
    ("http://h/a#b", .fragment), ("http://h/a#", .fragment), ("http://h#", .fragment),
    ("http://", .noHost), ("http:///a", .noHost), ("http://:80/a", .noHost), ("http:a", .noHost), ("http:/a", .noHost),
    ("http://h:0/", .badPort), ("http://h:65536/", .badPort), ("http://h:x/", .badPort), ("http://h:-1/", .badPort),
    ("http://h:99999999999999999999/", .badPort), ("http://h: 80/", .badPort),
    ("http://a b/", .badHost), ("http://a..b/", .badHost), ("http://.a/", .badHost), ("http://./", .badHost),
    ("http://a%62/", .badHost),
    ("http://{a,b}/", .badHost), ("http://a\\b/", .badHost), ("http://[::1/", .badHost), ("http://[1]/", .badHost),
    ("http://[::1::]/", .badHost), ("http://[1:2:3:4:5:6:7:8:9]/", .badHost), ("http://[::12345]/", .badHost),
    ("http://[::1.2.3.256]/", .badHost), ("http://[fe80::1%eth0]/", .badHost), ("http://[::g]/", .badHost),
    ("http://a:b:80/", .badHost),
    ("http://a\u{200b}b/", .badHost), ("http://\(String(repeating: "a", count: 64)).example/", .badHost),
    ("http://\(Array(repeating: "abcdefghi", count: 26).joined(separator: "."))/", .badHost),
    ("http://h/a\nb", .badCharacter), ("http://h/a\tb", .badCharacter), ("http://h/\u{0}", .badCharacter),
    ("http://h/\u{7f}", .badCharacter),
  ]

  @Test(arguments: Array("!\"#$%&'()*+,;<=>@[\\]^`{|}"))
  func whatNoHostHasIsRefused(_ character: Character) {
    #expect(throws: SourceURL.Problem.self) { try SourceURL("http://a\(character)b.example:80/") }
  }

  @Test(arguments: refused)
  func whatIsNoSuchURLIsRefusedWithItsReason(_ written: String, _ problem: SourceURL.Problem) {
    #expect(throws: problem) { try SourceURL(written) }
  }

  static let references: [(String, String)] = [
    ("x.bin", "http://h:8/d/e/x.bin"), ("./x/./../f", "http://h:8/d/e/f"), ("../c/f", "http://h:8/d/c/f"),
    ("../../../f", "http://h:8/f"), ("/f", "http://h:8/f"), ("//g/f", "http://g/f"), ("?q=1", "http://h:8/d/e/s?q=1"),
    ("f?a=b c", "http://h:8/d/e/f?a=b%20c"), ("https://g/f", "https://g/f"), ("a/b:c", "http://h:8/d/e/a/b:c"),
    ("./a:b", "http://h:8/d/e/a:b"), ("x y", "http://h:8/d/e/x%20y"), ("d/", "http://h:8/d/e/d/"),
    (".", "http://h:8/d/e/"), ("..", "http://h:8/d/"),
  ]

  @Test(arguments: references)
  func referencesResolveAgainstTheirBase(_ reference: String, _ expected: String) throws {
    let base = try SourceURL("http://h:8/d/e/s?old=1")
    #expect(try SourceURL(reference, relativeTo: base).text == expected)
  }

  static let locations: [(String, String)] = [
    ("/a b/f.bin", "http://h:8/a%20b/f.bin"), ("/ř.bin", "http://h:8/%C5%99.bin"),
    ("/[v2]/f.bin", "http://h:8/[v2]/f.bin"),
    ("../c/f.bin", "http://h:8/d/c/f.bin"), ("//127.0.0.1:9/f.bin", "http://127.0.0.1:9/f.bin"),
    ("?q=1", "http://h:8/d/e/s?q=1"),
    ("/f.bin#frag", "http://h:8/f.bin"), ("#frag", "http://h:8/d/e/s?old=1"), ("/x%2Fy%20z", "http://h:8/x%2Fy%20z"),
    ("f.bin?a=b c&d=ř", "http://h:8/d/e/f.bin?a=b%20c&d=%C5%99"),
    ("HTTP://127.0.0.1:9/f.bin", "http://127.0.0.1:9/f.bin"),
    ("http://user:pw@g/t", "http://g/t"), ("http://user:p@w@g/t", "http://g/t"), ("  /f  ", "http://h:8/f"),
    ("\\x\\y?a\\b", "http://h:8/x/y?a%5Cb"), ("/a\tb", "http://h:8/ab"),
    ("http:/f", "http://h:8/f"), ("HTTP:f?q", "http://h:8/d/e/f?q"), ("https:/g/f", "https://g/f"),
    ("http://%6c%C3%96.example%2Enet:81/f", "http://lö.example.net:81/f"), ("//127%2e0.0.%31/f", "http://127.0.0.1/f"),
    ("http://so\u{ad}ft.\u{feff}g/f", "http://soft.g/f"),
    ("https:g", "https://g/"), ("///g/f", "http://g/f"), ("http:////g/f", "http://g/f"), ("\\\\\\g\\f", "http://g/f"),
  ]

  @Test(arguments: locations)
  func redirectsResolveAsBrowsersResolveThem(_ location: String, _ expected: String) throws {
    let base = try SourceURL("http://h:8/d/e/s?old=1")
    #expect(try SourceURL(location: location, relativeTo: base).text == expected)
  }

  @Test func redirectsNeedNotBeUTF8() throws {
    let base = try SourceURL("http://h/")
    #expect(try SourceURL(location: Array("/".utf8) + [0xf8], relativeTo: base).text == "http://h/%F8")
    #expect(throws: SourceURL.Problem.badHost) { try SourceURL(location: Array("//".utf8) + [0xf8], relativeTo: base) }
    #expect(throws: SourceURL.Problem.scheme("javascript")) {
      try SourceURL(location: "javascript:alert(1)", relativeTo: base)
    }
    #expect(throws: SourceURL.Problem.empty) { try SourceURL(location: "  ", relativeTo: base) }
  }

  /// Redirects always go by the full rules: texts that take the short way must come out the same.
  @Test func theShortWayGivesWhatTheFullRulesGive() throws {
    let pieces = [
      "http://", "https://", "h", "A", ".", "..", ":", "80", "443", "8080", "0", "/", "//", "/.", "%2e", "?", "a b",
      "é", "[", "&x=", "-",
    ]
    let base = SourceURL(recorded: "http://unrelated/")
    var state: UInt64 = 7
    for round in 0..<4_000 {
      var text = round % 2 == 0 ? "http://h" : "https://h"
      for _ in 0..<(round % 7) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      let short = try? SourceURL(text)
      guard let short else { continue }
      #expect(try SourceURL(location: text, relativeTo: base) == short, "round \(round): \(text)")
    }
  }

  @Test func partsAreThoseOfTheText() throws {
    let url = try SourceURL("https://[::1]:8443/d/a%20b.bin?x=1:2&y=@/")
    #expect(url.scheme == "https")
    #expect(url.authority == "[::1]:8443")
    #expect(url.host == "[::1]")
    #expect(url.port == 8443)
    #expect(url.origin == "https://[::1]:8443")
    #expect(url.path == "/d/a%20b.bin")
    #expect(url.query == "x=1:2&y=@/")
    #expect(try SourceURL("http://h/").query == nil)
    #expect(try SourceURL("http://h").port == 80)
    #expect(try SourceURL("https://h/?").query == "")
    #expect(try SourceURL("https://[::1]/").port == 443)
  }

  static let fileNames: [(String, String?)] = [
    ("/a.bin", "a.bin"), ("/x/a%20b%2541.bin?name=evil", "a b%41.bin"), ("/%E6%BC%A2.bin", "漢.bin"),
    ("/c;v=1", "c;v=1"),
    ("/", nil), ("/x/", nil), ("/%2E", nil), ("/x/..%2F..%2Fevil", nil), ("/a%2Fb", nil), ("/a%00b", nil),
    ("/%ff", nil),
    ("/a..b", "a..b"), ("/..%5Cevil", "..\\evil"), ("/100%", "100%"),
  ]

  @Test(arguments: fileNames)
  func theSuggestedNameNeverLeadsAnywhere(_ path: String, _ name: String?) throws {
    #expect(try SourceURL("http://h" + path).fileName == name)
  }

  static let names: [(String, String)] = [
    ("bücher.example", "xn--bcher-kva.example"), ("münchen.de", "xn--mnchen-3ya.de"),
    ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
    ("россия.рф", "xn--h1alffa9f.xn--p1ai"), ("☃.net", "xn--n3h.net"),
    ("他们为什么不说中文.cn", "xn--ihqwcrb4cv8a8dqg056pqjye.cn"),
    ("pročprostěnemluvíčesky.cz", "xn--proprostnemluvesky-uyb24dma41a.cz"), ("plain.example", "plain.example"),
  ]

  @Test(arguments: names)
  func internationalNamesTravelAsPunycode(_ host: String, _ wire: String) throws {
    let url = try SourceURL("http://\(host):81/ü?x=ü")
    #expect(url.host == host)
    #expect(url.text == "http://\(host):81/%C3%BC?x=%C3%BC")
    #expect(HostName.ascii(host) == wire)
  }

  @Test func aURLThatSlipsIntoAMessageGivesNothingAway() throws {
    #expect("\(try SourceURL("http://h/a?token=SECRET&x=1"))" == "http://h/a?token=…&x=1")
  }
}
