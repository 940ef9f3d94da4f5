package import DLSyncModel

/// Follows redirects as far as they may be followed (RFC 9110, section 15.4). Pure: it gets a response and says where to
/// go on.
package struct RedirectPolicy: Sendable {
  package enum Decision: Equatable, Sendable {
    /// Go on there; `keepsHeaders` tells whether the entry's own headers may still be sent.
    case follow(SourceURL, keepsHeaders: Bool)
    case refuse(DLSyncError)
    /// The response is no redirect.
    case stay
  }

  /// Redirects that one transfer follows.
  package static let limit = 10

  package init() {}

  /// `count` redirects were followed already; `keepsHeaders` tells whether the request that was answered had the right to
  /// the entry's headers. Once lost to another origin, that right does not come back: a server elsewhere chose where the
  /// way back leads.
  package func decide(_ head: ResponseHead, from url: SourceURL, count: Int, keepsHeaders: Bool) -> Decision {
    guard [301, 302, 303, 307, 308].contains(head.statusCode), let location = head.first(.location), !location.isEmpty
    else { return .stay }
    guard count < Self.limit else {
      return .refuse(
        DLSyncError(
          .tooManyRedirects, "\"\(url.shown)\" leads on to yet another URL after \(Self.limit) redirects",
          hint: "use the URL at which the file really is", .init(statusCode: head.statusCode)))
    }
    let target: SourceURL
    do {
      target = try SourceURL(location: location, relativeTo: url)
    } catch {
      return .refuse(Self.refusal(url, Self.words(error), status: head.statusCode))
    }
    if url.scheme == "https", target.scheme == "http" {
      return .refuse(
        Self.refusal(
          url, "from https to http, where anybody on the way could change the bytes", status: head.statusCode))
    }
    return .follow(target, keepsHeaders: keepsHeaders && target.origin == url.origin)
  }

  private static func refusal(_ url: SourceURL, _ why: String, status: Int) -> DLSyncError {
    DLSyncError(
      .redirectRefused, "a redirect of \"\(url.shown)\" was not followed: it leads \(why)",
      hint: "give the entry the URL at which the file really is, if you trust it", .init(statusCode: status))
  }

  private static func words(_ problem: SourceURL.Problem) -> String {
    switch problem {
    case .scheme(let scheme): "to the scheme \"\(scheme.prefix(20))\", and only http and https are spoken"
    case .noHost, .badHost: "to a URL without a valid host"
    case .badPort: "to a URL with an invalid port"
    default: "to something that is no URL"
    }
  }
}
