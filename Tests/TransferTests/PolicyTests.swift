import DLSyncModel
import Testing

@testable import DLSyncTransfer

@Suite struct RedirectPolicyTests {
  private func decide(
    _ status: Int = 302, _ location: String?, from url: String = "http://h:8080/d/e/start", count: Int = 0,
    keeps: Bool = true
  ) throws -> RedirectPolicy.Decision {
    let fields = location.map { [HeaderField("location", $0)] } ?? []
    return RedirectPolicy().decide(
      ResponseHead(statusCode: status, fields: fields), from: try SourceURL(url), count: count, keepsHeaders: keeps)
  }

  private func code(_ decision: RedirectPolicy.Decision) -> ErrorCode? {
    if case .refuse(let error) = decision { error.code } else { nil }
  }

  @Test(arguments: [
    ("/a b/f.bin", "http://h:8080/a%20b/f.bin"), ("/ř.bin", "http://h:8080/%C5%99.bin"),
    ("/[v2]/f.bin", "http://h:8080/[v2]/f.bin"), ("../c/f.bin", "http://h:8080/d/c/f.bin"),
    ("//g/f.bin", "http://g/f.bin"), ("?q=1", "http://h:8080/d/e/start?q=1"), ("/f.bin#frag", "http://h:8080/f.bin"),
    ("/x%2Fy%20z", "http://h:8080/x%2Fy%20z"), ("HTTP://G/f", "http://g/f"),
    ("http://user:pw@g/t", "http://g/t"),
  ])
  func locationResolvesAsABrowserDoes(_ location: String, _ target: String) throws {
    guard case .follow(let url, _) = try decide(location) else {
      throw DLSyncError(.internal, "not followed: \(location)")
    }
    #expect(url.text == target)
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func redirectsAreFollowed(_ status: Int) throws {
    #expect(try decide(status, "/x") == .follow(try SourceURL("http://h:8080/x"), keepsHeaders: true))
  }

  @Test(arguments: [200, 206, 300, 304, 305, 404]) func otherStatusesStay(_ status: Int) throws {
    #expect(try decide(status, "/x") == .stay)
  }

  @Test func redirectWithoutLocationStays() throws {
    #expect(try decide(302, nil) == .stay)
    #expect(try decide(302, "") == .stay)
  }

  @Test(arguments: ["http://h/x", "http://g:8080/x", "https://h:8080/x", "//g:8080/x"])
  func anotherOriginLosesTheHeaders(_ location: String) throws {
    guard case .follow(_, let keeps) = try decide(location) else { throw DLSyncError(.internal, "not followed") }
    #expect(!keeps)
  }

  @Test func headersLostOnceDoNotComeBack() throws {
    #expect(try decide("/x", keeps: false) == .follow(try SourceURL("http://h:8080/x"), keepsHeaders: false))
  }

  @Test func tenRedirectsAreFollowedAndNoMore() throws {
    #expect(code(try decide("/x", count: 9)) == nil)
    #expect(code(try decide("/x", count: 10)) == .tooManyRedirects)
  }

  @Test func redirectFromTLSToPlainIsRefused() throws {
    #expect(code(try decide("http://h/x", from: "https://h/x")) == .redirectRefused)
    #expect(code(try decide("https://g/x", from: "https://h/x")) == nil)
  }

  @Test(arguments: [
    "ftp://h/x", "file:///etc/passwd", "javascript:1", "http://", "http://h:99999/x", "http://[::1/x",
    "http://h%3a80/x", "http://h%2fx", "http://a%40h/x", "http://h%00/x", "http://h%/x", "http://%AD/x",
    "http://[%3a:1]/x",
  ])
  func locationThatIsNoTargetIsRefused(_ location: String) throws {
    #expect(code(try decide(location)) == .redirectRefused)
  }

  @Test(arguments: ["", "x:", "http://h/", "https://h/", "/"])
  func whatAServerWritesIsBoundedInMessages(_ start: String) throws {
    let long = start + String(repeating: "x", count: 90_000) + (start.isEmpty ? ":y" : "")
    if case .refuse(let error) = try decide(long) { #expect(error.message.utf8.count < 700) }
    guard case .follow(let target, _) = try decide(long) else { return }
    let further = RedirectPolicy().decide(
      ResponseHead(statusCode: 302, fields: [HeaderField("location", "/")]), from: target, count: 10, keepsHeaders: true
    )
    guard case .refuse(let error) = further else {
      Issue.record("an eleventh redirect was followed")
      return
    }
    #expect(error.message.utf8.count < 700)
    #expect(HTTPFailure.error(status: 404, url: target).message.utf8.count < 700)
    #expect(target.redacted.utf8.count > 90_000)
  }

  private func decide(
    _ location: String, from url: String = "http://h:8080/d/e/start", count: Int = 0, keeps: Bool = true
  )
    throws -> RedirectPolicy.Decision
  {
    try decide(302, location, from: url, count: count, keeps: keeps)
  }
}

@Suite struct CookieJarTests {
  @Test func cookiesGoBackToTheirHostOnly() {
    var jar = CookieJar()
    jar.take("k=v; Path=/; HttpOnly", host: "a", isSecureOrigin: false)
    jar.take("j = 2", host: "a", isSecureOrigin: false)
    #expect(jar.field(host: "a", isSecure: false) == "k=v; j=2")
    #expect(jar.field(host: "b", isSecure: false) == nil)
  }

  @Test func laterCookieReplacesItsNamesakeAndAnExpiredOneDeletesIt() {
    var jar = CookieJar()
    for field in ["k=1", "k=2", "j=1", "j=; Max-Age=0"] { jar.take(field, host: "a", isSecureOrigin: false) }
    #expect(jar.field(host: "a", isSecure: false) == "k=2")
  }

  @Test(arguments: [
    ("Expires=Thu, 01 Jan 1970 00:00:00 GMT", false), ("expires=Thu, 01-Jan-70 00:00:00 GMT", false),
    ("Expires=Thu, 01 Jan 1970 00:16:40 GMT", false), ("Expires=Thu, 01 Jan 1970 00:16:41 GMT", true),
    ("Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=10", true),
    ("Max-Age=-1; Expires=Fri, 01 Jan 2100 00:00:00 GMT", false),
    ("Max-Age=0; Max-Age=10", true), ("Max-Age=10; max-age=0", false), ("Expires=never", true), ("Expires", true),
    ("Max-Age=soon; Expires=Thu, 01 Jan 1970 00:00:00 GMT", false),
  ])
  func expiredCookieIsNotSentBack(_ attributes: String, _ isKept: Bool) {
    var jar = CookieJar()
    jar.take("k=1; \(attributes); Path=/", host: "a", isSecureOrigin: false, now: 1000)
    #expect((jar.field(host: "a", isSecure: false) == "k=1") == isKept)
  }

  @Test func secureCookieNeedsTLSBothWays() {
    var jar = CookieJar()
    jar.take("k=1; Secure", host: "a", isSecureOrigin: false)
    #expect(jar.field(host: "a", isSecure: true) == nil)
    jar.take("k=1; secure", host: "a", isSecureOrigin: true)
    #expect(jar.field(host: "a", isSecure: true) == "k=1")
    #expect(jar.field(host: "a", isSecure: false) == nil)
  }

  @Test(arguments: ["", "novalue", "=v", "k=\u{1}", "k=" + String(repeating: "x", count: 5000)])
  func cookiesThatMakeNoSenseAreIgnored(_ field: String) {
    var jar = CookieJar()
    jar.take(field, host: "a", isSecureOrigin: true)
    #expect(jar.field(host: "a", isSecure: true) == nil)
  }
}

@Suite struct RetryPolicyTests {
  private let settings = QueueConfiguration.Retry()

  private func decide(_ error: DLSyncError, attempt: Int = 1, random: Double = 1, after: Duration? = nil)
    -> RetryPolicy.Decision
  {
    RetryPolicy().decide(error, attempt: attempt, settings: settings, random: random, retryAfter: after)
  }

  private func status(_ code: Int, _ kind: ErrorCode = .httpStatus) -> DLSyncError {
    DLSyncError(kind, "status", .init(statusCode: code))
  }

  @Test(arguments: [
    ErrorCode.nameResolutionFailed, .connectFailed, .connectionLost, .timedOut, .resourceChanged,
  ])
  func whatMayPassIsTriedAgain(_ code: ErrorCode) {
    #expect(decide(DLSyncError(code, "x")) == .retry(after: .seconds(1)))
  }

  @Test(arguments: [
    ErrorCode.tlsFailed, .proxyFailed, .protocolError, .encodingUnsupported, .redirectRefused, .tooManyRedirects,
    .rangeInvalid, .checksumMismatch, .sizeMismatch, .fileSystem, .permissionDenied, .resourceTimeout,
  ])
  func whatWouldMeetTheSameAgainIsGivenUp(_ code: ErrorCode) {
    #expect(decide(DLSyncError(code, "x")) == .giveUp(DLSyncError(code, "x")))
  }

  @Test func queuesListDecidesOverStatuses() {
    for code in settings.statusCodes { #expect(decide(status(code)) == .retry(after: .seconds(1))) }
    for code in [400, 404, 410, 501] { #expect(decide(status(code)) == .giveUp(status(code))) }
    #expect(decide(status(401, .authenticationRequired)) == .giveUp(status(401, .authenticationRequired)))
    var other = settings
    other.statusCodes = [401, 404]
    let policy = RetryPolicy()
    #expect(
      policy.decide(status(401, .authenticationRequired), attempt: 1, settings: other, random: 0)
        == .retry(after: .zero))
    guard case .giveUp(let error) = policy.decide(status(503), attempt: 1, settings: other, random: 0) else {
      Issue.record("503 was tried again")
      return
    }
    #expect(!error.isRetryable)
  }

  @Test func lastAttemptSaysThatAnotherRunMaySucceed() {
    guard case .giveUp(let error) = decide(status(503), attempt: 3) else {
      Issue.record("a fourth attempt")
      return
    }
    #expect(error.isRetryable)
  }

  @Test func delayIsDrawnFromAnIntervalThatDoublesUpToItsBound() {
    var long = settings
    long.maxAttempts = 100
    for (attempt, upper) in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (99, 60)] {
      #expect(RetryPolicy.delay(attempt: attempt, settings: long, random: 1) == .seconds(upper))
      #expect(RetryPolicy.delay(attempt: attempt, settings: long, random: 0.5) == .seconds(Double(upper) / 2))
      #expect(RetryPolicy.delay(attempt: attempt, settings: long, random: 0) == .zero)
    }
  }

  @Test func serversWishIsALowerBound() {
    #expect(decide(status(503), random: 0, after: .seconds(7)) == .retry(after: .seconds(7)))
    #expect(decide(status(503), random: 1, after: .milliseconds(10)) == .retry(after: .seconds(1)))
  }
}

@Suite struct RetryAfterTests {
  private func delay(_ values: [String], date: String? = "Wed, 21 Oct 2015 07:28:00 GMT", now: Int64 = 0) -> Duration? {
    let fields = values.map { HeaderField("Retry-After", $0) } + (date.map { [HeaderField("Date", $0)] } ?? [])
    return RetryAfter.delay(ResponseHead(statusCode: 503, fields: fields), now: now)
  }

  @Test(arguments: ["-5", "inf", "nan", "1e400", "abc", "", "0.5", "+1", "1 s"])
  func whatIsNoDelayIsIgnored(_ text: String) { #expect(delay([text]) == nil) }

  @Test(arguments: [
    ("0", 0), ("2", 2), ("86400", 86_400), ("86401", 86_400), ("99999999999999999999", 86_400),
    ("Wed, 21 Oct 2015 07:28:03 GMT", 3), ("Wed, 21 Oct 2015 07:27:00 GMT", 0),
    ("Wednesday, 21-Oct-15 07:28:04 GMT", 4),
    ("Wed Oct 21 07:28:05 2015", 5), ("Thu, 21 Oct 2100 07:28:00 GMT", 86_400),
  ])
  func delayIsReadInEveryForm(_ text: String, _ seconds: Int) { #expect(delay([text]) == .seconds(seconds)) }

  @Test func largestOfSeveralCounts() {
    #expect(delay(["1", "nonsense", "4", "2"]) == .seconds(4))
    #expect(delay(["1,3, 2"]) == .seconds(3) && delay(["1, 99999999999999999999"]) == .seconds(86_400))
    #expect(delay(["0.5, 1.5"]) == nil)
  }

  @Test func ownClockStandsInForAMissingDate() {
    #expect(delay(["Thu, 01 Jan 1970 00:01:10 GMT"], date: nil, now: 60) == .seconds(10))
  }
}

@Suite struct HTTPDateTests {
  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ] as [(String, Int64)])
  func dateIsReadInEveryForm(_ text: String, _ seconds: Int64) { #expect(HTTPDate.seconds(text) == seconds) }

  @Test(arguments: [
    "", "now", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 6 Foo 1994 08:49:37 GMT",
    "1994-11-06",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 99 Nov 1994 08:49:37 GMT",
  ])
  func whatIsNoDateIsNil(_ text: String) { #expect(HTTPDate.seconds(text) == nil) }
}
