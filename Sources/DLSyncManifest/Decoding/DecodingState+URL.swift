import DLSyncModel

// URLs and paths, and what may be wrong with them.
extension DecodingState {
  /// An absolute http or https URL, relative ones resolved against `baseURL`.
  func url(_ node: NodeRef) -> SourceURL? {
    guard let text = text(node) else { return nil }
    var base: SourceURL?
    if case .url(let url) = head?.baseURL { base = url }
    do throws(SourceURL.Problem) {
      return try SourceURL(text.value, relativeTo: base)
    } catch {
      // Without knowing the base nothing can be said of what is relative to it.
      if case .relative = error, case .wrong = head?.baseURL { return nil }
      report(error, of: text, at: node)
      return nil
    }
  }

  /// Says what is wrong with a URL. Never quotes more of it than a scheme: the rest may hold a password.
  func report(_ problem: SourceURL.Problem, of text: Text, at node: NodeRef) {
    let (message, hint): (String, String?) =
      switch problem {
      case .empty: ("the URL is empty", nil)
      case .relative: ("the URL is relative, and there is no `baseURL`", "write the whole URL, or give a `baseURL`")
      case .scheme(let scheme):
        (
          (text.isLiteral ? "the scheme \(Quote.text(scheme)) is not" : "the URL has another scheme than")
            + " `http` or `https`", nil
        )
      case .userInformation:
        (
          "the URL holds user information",
          "remove what stands before the `@`; give credentials as a header, or with --netrc"
        )
      case .fragment:
        (
          "the URL has a fragment, which is never sent",
          "remove `#` and what follows, or write `%23` for a `#` in a name"
        )
      case .noHost: ("the URL has no host", nil)
      case .badHost: ("the URL's host is no name or address", nil)
      case .badPort: ("the URL's port is not a number from 1 to 65535", nil)
      case .badCharacter: ("the URL holds a control character", nil)
      }
    var isCertain = true
    if case .relative = problem { isCertain = false }
    report(resolved(node), message, hint: hint, isCertain: isCertain)
  }

  /// A path relative to the manifest's folder, made absolute.
  func path(_ node: NodeRef) -> String? {
    text(node).flatMap { path($0.value, at: node) }
  }

  func path(_ text: String, at node: NodeRef) -> String? {
    do throws(PathText.Problem) {
      return try PathText.resolve(text, in: context.folder, home: context.environment["HOME"])
    } catch {
      report(error, at: resolved(node))
      return nil
    }
  }

  private func report(_ problem: PathText.Problem, at node: NodeRef) {
    switch problem {
    case .empty: report(node, "the path is empty", hint: "write `.` for the manifest's own folder")
    case .holdsNUL: report(node, "the path holds a NUL character")
    case .noHome: report(node, "`~` cannot be replaced: the environment variable HOME is not set to an absolute path")
    case .otherHome:
      report(node, "only `~` and `~/` stand for a home folder", hint: "write `./~…` for a folder of that name")
    case .remote(let scheme): reportRemote(scheme, at: node)
    }
  }

  func reportRemote(_ scheme: String, at node: NodeRef) {
    report(node, "`\(Quote.short(scheme)):` is a remote or virtual place, not a path on this machine")
  }
}
