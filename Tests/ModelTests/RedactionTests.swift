import DLSyncModel
import Testing

@Suite struct RedactionTests {
  @Test(arguments: [
    "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature", "X-Goog-Credential", "token",
    "Token",
    "access_token", "accessToken", "accesstoken", "auth_token", "sig", "key", "api_key", "api-key", "apiKey", "apikey",
    "APIKEY",
    "X-Api-Key", "password", "passwd", "pwd", "Signature", "GoogleAccessId", "AWSAccessKeyId", "Key-Pair-Id", "Policy",
    "secret",
    "client_secret", "clientSecret", "auth", "authorization", "session", "session_id", "sessionid", "jwt", "hmac",
    "sas", "code",
    "user[password]", "X%2DAmz%2DSignature", "subscription-key", "private_key", "__token__", "sas_token",
  ])
  func credentialsAreHidden(_ name: String) {
    #expect(Redaction.isCredential(parameter: name))
    let url = "http://h/a?\(name)=SECRET&part=1"
    #expect(Redaction.url(url) == "http://h/a?\(name)=…&part=1")
    #expect(!Redaction.storable(url).contains("SECRET"))
  }

  @Test(arguments: [
    "keyword", "keywords", "design", "monkey", "turkey", "hockey", "author", "codec", "encode", "barcode", "passage",
    "compass",
    "sigma", "assign", "part", "version", "X-Amz-Date", "X-Amz-Expires", "Expires", "tokenizer", "", "n", "secretary",
    "q",
  ])
  func ordinaryWordsAreNot(_ name: String) {
    #expect(!Redaction.isCredential(parameter: name))
  }

  static let urls: [(String, String)] = [
    ("http://h/a", "http://h/a"), ("http://h/a?", "http://h/a?"), ("http://h/a?token", "http://h/a?token"),
    ("http://h/a?token=", "http://h/a?token="),
    ("http://h/a?x=1&token=S&y=2", "http://h/a?x=1&token=…&y=2"), ("http://h/a?token=a=b", "http://h/a?token=…"),
    ("http://h/a?&token=S&", "http://h/a?&token=…&"), ("http://user:pw@h/a", "http://…@h/a"),
    ("http://u:p@w@h/a@b?c=@", "http://…@h/a@b?c=@"),
    ("http://h/a@b", "http://h/a@b"), ("http://h?x=@", "http://h?x=@"), ("socks5://u:p@h:1", "socks5://…@h:1"),
    ("http://h/?token=ü", "http://h/?token=…"),
    ("http://h/a#token=S", "http://h/a#token=S"), ("http://h/a?token=S#f", "http://h/a?token=…#f"),
  ]

  @Test(arguments: urls)
  func urlsAreShownWithoutThem(_ url: String, _ shown: String) {
    #expect(Redaction.url(url) == shown)
    #expect(Redaction.url(shown) == shown)
  }

  @Test func whatIsStoredHasNoCredentials() {
    #expect(Redaction.storable("http://h/a?X-Amz-Signature=S&token=T&part=1") == "http://h/a?part=1")
    #expect(Redaction.storable("http://h/a?sig=S") == "http://h/a")
    #expect(Redaction.storable("http://h/a?") == "http://h/a?")
  }

  @Test func aKeyThatMayBeANameIsStoredAsAFingerprint() {
    let (first, second) = (Redaction.storable("http://h/a?key=one.pdf"), Redaction.storable("http://h/a?key=two.pdf"))
    #expect(first != second, "another document would pass for the same")
    #expect(!first.contains("one"))
    #expect(Redaction.storable(first) == first)
    #expect(Redaction.url(first) == "http://h/a?key=…")
  }

  @Test func aRenewedSignatureIsTheSameResource() {
    func resource(_ text: String) -> String { Redaction.resource(text, isSigned: Redaction.isSigned(text)) }
    #expect(
      resource("http://h/a?v=1&X-Amz-Date=1&X-Amz-Expires=9&X-Amz-Signature=S")
        == resource("http://h/a?v=1&X-Amz-Date=2&X-Amz-Expires=9&X-Amz-Signature=T"))
    #expect(resource("http://h/a?se=1&sp=r&sig=S") == resource("http://h/a?se=2&sp=r&sig=T"))
    #expect(resource("http://h/a?v=1&sig=S") != resource("http://h/a?v=2&sig=S"))
    #expect(resource("http://h/a?e=1") != resource("http://h/a?e=2"), "unsigned, so it may be anything")
  }

  @Test func responseHeadersThatCarrySecretsAreLeftOut() {
    for name in ["Set-Cookie", "WWW-Authenticate", "authorization", "X-Auth-Token", "Location", "X-Secret-Id"] {
      #expect(!Redaction.mayShow(responseHeader: name), "\(name)")
    }
    for name in ["ETag", "Content-Type", "X-Served-By", "Last-Modified"] {
      #expect(Redaction.mayShow(responseHeader: name), "\(name)")
    }
  }
}
