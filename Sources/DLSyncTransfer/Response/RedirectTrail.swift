import DLSyncModel

/// The way of one transfer through its redirects: what is asked now, and what goes along there.
struct RedirectTrail {
  /// The present request's URL.
  private(set) var target: SourceURL
  /// Whether the entry's own headers may be sent there.
  private(set) var keepsHeaders: Bool
  private var count = 0
  private var jar = CookieJar()
  private var upcoming: SourceURL?

  init(_ request: TransferRequest) {
    target = request.url
    keepsHeaders = request.headers.isEmpty || request.url.origin == request.headerOrigin
  }

  /// The present request's own field lines; nil for none.
  func lines(of request: TransferRequest) -> [String]? {
    RequestLines.lines(
      headers: keepsHeaders ? request.headers : [],
      cookies: jar.isEmpty ? nil : jar.field(host: target.host, isSecure: target.scheme == "https"),
      range: request.range, condition: request.condition)
  }

  /// Whether the present request's response leads on, and where to.
  func decide(_ head: ResponseHead) -> RedirectPolicy.Decision {
    RedirectPolicy().decide(head, from: target, count: count, keepsHeaders: keepsHeaders)
  }

  /// Takes what that decision said; the way itself goes on with `hop`, when the request is over.
  mutating func follow(_ next: SourceURL, keepsHeaders: Bool, from head: ResponseHead) {
    for field in head.values(.setCookie) {
      jar.take(field, host: target.host, isSecureOrigin: target.scheme == "https")
    }
    count += 1
    self.keepsHeaders = keepsHeaders
    upcoming = next
  }

  /// Goes on to where the last response led; false where it led nowhere.
  mutating func hop() -> Bool {
    guard let next = upcoming.take() else { return false }
    target = next
    return true
  }
}
