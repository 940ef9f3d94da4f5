internal import DLSyncManifest
public import DLSyncModel

/// One file that is wanted without a manifest.
public struct SingleFile: Sendable {
  /// Where it comes from.
  public let url: SourceURL
  /// Where it should be, relative to the working folder; a slash at the end takes the name from the URL. Nil: in the store
  /// below the state folder.
  public var destination: String?
  /// Digests that it must have.
  public var checksums: [Digest] = []
  /// Request headers; they go to the URL's own origin alone.
  public var headers: [HeaderField] = []

  /// Just the URL.
  public init(_ url: SourceURL) { self.url = url }
}

extension Workspace {
  /// The scope of files that no manifest names. No manifest can have it: as a name it is not allowed, and it is no path.
  public static let singleFiles = Scope("(get)")
  /// So many single files may be on their way at once, and one destination is never fetched twice at a time.
  private static let lanes: UInt64 = 64

  /// A manifest of one file, to be planned and applied like any other. Throws `usage` where the destination is none.
  public func manifest(of file: SingleFile) throws(DLSyncError) -> Manifest {
    let destination = try destination(of: file)
    var hash = StableHash()
    hash.combine(destination.path)
    let queue = QueueName("get-\(hash.finish() % Self.lanes)")
    var settings = FileSettings()
    settings.headers = file.headers
    // The state folder's files are its owner's alone.
    if file.destination == nil { settings.permissions = 0o600 }
    let entry = FileEntry(
      scope: Self.singleFiles, url: file.url, destination: destination, queue: queue, checksums: file.checksums,
      options: FileOptions(settings))
    return Manifest(
      scope: Self.singleFiles, source: file.url.redacted, root: destination.folder,
      queues: [QueueDeclaration(queue, QueueConfiguration())], files: [entry])
  }

  private func destination(of file: SingleFile) throws(DLSyncError) -> Destination {
    var path: String
    if let written = file.destination {
      try Self.requireLocal(written)
      path = try WorkingFolder.absolute(written)
      if path.endsInSlash {
        guard let name = file.url.fileName else {
          throw DLSyncError(.usage, "the URL \"\(file.url.shown)\" gives no name", hint: "give one with -o FILE")
        }
        path += name
      }
    } else {
      path = ManagedPlace.path(
        of: file.url, scope: Self.singleFiles, queue: .default, stateFolder: stateFolder)
    }
    guard let destination = try? Destination(path, root: "/") else {
      throw DLSyncError(
        .usage, "\"\(file.destination ?? path)\" is no path of a file",
        hint: "a slash at the end keeps the name of the URL: -o \(file.destination ?? path)/")
    }
    return destination
  }

  /// As in a manifest: no place elsewhere becomes a folder `s3:` here, and no home folder one of the name `~`.
  static func requireLocal(_ destination: String) throws(DLSyncError) {
    if let scheme = PathText.remoteScheme(destination) {
      throw DLSyncError(.usage, "\"\(scheme):\" is a remote or virtual place, not a path on this machine")
    }
    try requireReplacedHome(destination)
  }

  /// A shell replaces `~` at the beginning of a word alone: `--state=~/x` would make a folder of that name. Throws `usage`
  /// where it did not.
  public static func requireReplacedHome(_ path: String) throws(DLSyncError) {
    guard path == "~" || path.beginsBytewise(with: "~/") else { return }
    throw DLSyncError(
      .usage, "\"~\" does not stand for the home folder here: \"\(path)\"",
      hint: "write it unquoted and behind a blank, so that the shell replaces it; \"./~\" is a folder of that name")
  }

  /// A checksum in any of the spellings of a manifest; nil when the text is none.
  public static func checksum(_ text: String) -> Digest? { ChecksumText.parse(text) }

  /// What to write in place of a text that is no checksum: how many digits its algorithm takes, where it names one.
  public static func checksumForm(_ text: String) -> String { ChecksumText.form(for: text) }
}
