import DLSyncModel
import Testing

@testable import DLSyncTransfer

/// What one transfer asks, and what goes along, while servers send it on.
@Suite struct RedirectTrailTests {
  private let request: TransferRequest

  init() throws { request = try Ask(headers: [HeaderField("Authorization", "secret")]).request("https://a.test/1") }

  @Test func theWayGoesOnWhenTheRequestIsOver() {
    var trail = RedirectTrail(request)
    let early = trail.hop()
    trail.consider(head(302, ["Location": "/2"]))
    #expect(!early && trail.target.text == "https://a.test/1")
    let (first, second) = (trail.hop(), trail.hop())
    #expect(first && !second && trail.target.text == "https://a.test/2")
  }

  @Test func ownHeadersLostAtAnotherOriginStayLost() {
    var trail = RedirectTrail(request)
    #expect(trail.lines(of: request) == ["Authorization: secret"])
    for location in ["https://b.test/", "https://a.test/2"] {
      trail.consider(head(307, ["Location": location]))
      let hops = trail.hop()
      #expect(hops && trail.target.text == location)
      #expect(!trail.keepsHeaders && trail.lines(of: request) == nil)
    }
  }

  @Test func cookiesGoAlongToTheHostThatSetThem() {
    var trail = RedirectTrail(request)
    trail.consider(head(302, ["Location": "/2", "Set-Cookie": "k=v"]))
    let first = trail.hop()
    #expect(first && trail.lines(of: request) == ["Authorization: secret", "Cookie: k=v"])
    trail.consider(head(302, ["Location": "https://b.test/"]))
    let second = trail.hop()
    #expect(second && trail.lines(of: request) == nil)
  }

  @Test func noMoreRedirectsThanTheLimitAreFollowed() {
    var trail = RedirectTrail(request)
    for number in 0..<RedirectPolicy.limit {
      trail.consider(head(302, ["Location": "/\(number)"]))
      let hops = trail.hop()
      #expect(hops)
    }
    guard case .refuse(let error) = trail.decide(head(302, ["Location": "/more"])) else {
      Issue.record("followed once too often")
      return
    }
    let hops = trail.hop()
    #expect(error.code == .tooManyRedirects && !hops)
  }
}

extension RedirectTrail {
  /// Follows wherever a response leads.
  fileprivate mutating func consider(_ head: ResponseHead) {
    if case .follow(let next, let keeps) = decide(head) { follow(next, keepsHeaders: keeps, from: head) }
  }
}
