/// What the name of a query parameter says of its value.
enum CredentialName {
  /// Nothing secret.
  case ordinary
  /// A credential, or what is bound to one.
  case credential
  /// A credential (`key=AIza…`) or the name of something (`key=report.pdf`): not to be shown, not to be ignored either.
  case perhaps

  init(_ name: some StringProtocol) {
    let words = Self.words(name)
    let plain = words.joined()
    if words.contains(where: Self.secrets.contains) || Self.endings.contains(where: plain.hasSuffix)
      || Self.wholeNames.contains(plain)
    {
      self = .credential
    } else {
      self = words.contains("key") || plain == "code" ? .perhaps : .ordinary
    }
  }

  /// Words that make a credential of any name they stand in: `X-Amz-Security-Token`, `auth_user`.
  private static let secrets: Set<String> = [
    "token", "sig", "signature", "secret", "password", "passwd", "pwd", "passphrase", "auth", "authorization",
    "credential", "credentials", "session", "hmac", "jwt", "bearer", "otp", "sas", "sid",
  ]

  /// Ends of names that are written without a joint: `accesstoken`, `apikey`.
  private static let endings = [
    "token", "signature", "secret", "password", "credential", "apikey", "accesskey", "accesskeyid", "authkey",
    "secretkey", "privatekey", "sessionkey", "signkey", "subscriptionkey", "sessionid", "hdnea", "hdnts",
  ]

  private static let wholeNames: Set<String> = [
    "googleaccessid", "policy", "keypairid", "hdnea", "hdnts", "pass", "pw",
  ]

  /// Whether a renewed signature brings a new value of this parameter: its date, its term, its scope (AWS Signature
  /// Version 4, Google Cloud Storage, CloudFront, Azure's shared access signatures).
  static func belongsToSignature(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("x-amz-") || name.hasPrefix("x-goog-") || companions.contains(name)
  }

  private static let companions: Set<String> = [
    "expires", "expire", "expiry", "exp", "e", "se", "st", "sp", "sv", "sr", "ss", "srt", "spr", "sip", "skoid",
    "sktid",
    "skt", "ske", "sks", "skv",
  ]

  /// The name percent-decoded, cut at its joints (`-`, `_`, `.`, brackets, from small to capital letter), in lower case.
  private static func words(_ name: some StringProtocol) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for scalar in (PercentEncoding.decoded(name) ?? String(name)).unicodeScalars {
      let isCapital = ("A"..."Z").contains(scalar)
      let isJoint = "-_.[]:+ ".unicodeScalars.contains(scalar)
      if isJoint || (isCapital && wasSmall), !word.isEmpty {
        words.append(word.lowercased())
        word = ""
      }
      if !isJoint { word.unicodeScalars.append(scalar) }
      wasSmall = ("a"..."z").contains(scalar)
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }
}
