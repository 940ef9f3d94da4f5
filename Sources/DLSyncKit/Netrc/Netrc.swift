internal import DLSyncDisk
internal import DLSyncManifest
public import DLSyncModel
internal import Glibc

/// The identities that a netrc file holds: who somebody is for which machine.
///
/// An identity goes to the origin of an entry's own URL and nowhere else, exactly like the entry's headers: not to a
/// redirect's target elsewhere, not to mirrors elsewhere. It is used and never recorded or shown.
public struct Netrc: Sendable, CustomStringConvertible {
  /// One `machine`, or `default`.
  struct Identity: Equatable, Sendable {
    /// Nil for `default`.
    var machine: String?
    var login: String?
    var password: String?
  }

  private let identities: [Identity]
  /// What is odd about the file though it can be used; nil for nothing.
  public let warning: String?

  init(_ identities: [Identity], warning: String? = nil) {
    self.identities = identities
    self.warning = warning
  }

  /// Reads a file of identities. What cannot be read or understood is `usage`, with the place and without a word of it.
  init(path: String) throws(DLSyncError) {
    let bytes = try FileText.read(path, limit: Self.sizeLimit)
    var status = stat()
    let isOpen = stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    self.init(
      try NetrcReader.read(bytes, source: path),
      warning: isOpen
        ? "\"\(path)\" holds passwords, and others may read it; `chmod 600` would keep them out"
        : nil)
  }

  /// How many there are, and nothing of them.
  public var description: String { "netrc(\(identities.count))" }

  /// The field that says who somebody is for the machine of a URL (RFC 7617), or nil where nothing is known of it.
  func authorization(for url: SourceURL) -> HeaderField? {
    let host = url.host.drop { $0 == "[" }.prefix { $0 != "]" }
    let found =
      identities.first { $0.machine.map { $0.isSameName(as: host) } == true }
      ?? identities.first { $0.machine == nil }
    guard let found, let login = found.login else { return nil }
    return HeaderField(
      "Authorization", "Basic " + Base64Text.encode(Array("\(login):\(found.password ?? "")".utf8)))
  }

  private static let sizeLimit = 1 << 20
}

extension Workspace {
  /// The identities of a netrc file; nil reads `~/.netrc`. Throws `usage` where it is not there or cannot be understood.
  public func netrc(at path: String? = nil) throws(DLSyncError) -> Netrc {
    if let path { return try Netrc(path: path) }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw DLSyncError(
        .usage, "there is no ~/.netrc: HOME is not set", hint: "name the file: --netrc=FILE")
    }
    return try Netrc(path: home + "/.netrc")
  }
}

extension FileEntry {
  /// The fields that a request for this file carries to one of its sources: the entry's own go to its own URL alone, an
  /// identity to whatever is of the same origin. An entry that says itself who asks is not spoken for.
  func headers(to source: SourceURL, _ netrc: Netrc?) -> [HeaderField] {
    let own = source == url ? options.headers : []
    guard let netrc, !own.contains(where: { $0.name.lowercased() == "authorization" }),
      let identity = identity(for: source, netrc)
    else { return own }
    return own + [identity]
  }

  /// What netrc says of the entry's own origin, where a URL is of that.
  func identity(for source: SourceURL, _ netrc: Netrc?) -> HeaderField? {
    guard let netrc, source == url || source.origin == url.origin else { return nil }
    return netrc.authorization(for: url)
  }
}

extension String {
  /// Names of machines are compared without case (RFC 4343).
  fileprivate func isSameName(as other: some StringProtocol) -> Bool {
    lowercased() == other.lowercased()
  }
}
