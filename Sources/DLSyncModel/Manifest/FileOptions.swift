/// What to do when the destination holds a file that dlsync does not own or that was changed since.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// Report a conflict and leave it alone.
  case fail
  /// Replace it.
  case replace
  /// Leave it alone and count it as done.
  case keep
}

/// What a manifest says of a file beside where it comes from and where it goes.
public struct FileSettings: Hashable, Sendable {
  /// Request headers, in the manifest's order.
  public var headers: [HeaderField] = []
  /// Mode bits below 0o1000, or nil for 0666 less the umask.
  public var permissions: UInt16?
  /// What to do with a file that is in the way.
  public var onConflict = ConflictPolicy.fail
  /// Where else the same bytes are, to be tried in this order.
  public var mirrors: [SourceURL] = []
  /// Checksums that stand in published lists, all of which must match.
  public var listedChecksums: [ListedChecksum] = []
  /// Whether a finished file is checked with the server again.
  public var refresh = RefreshPolicy.never
  /// Whether a response that is encoded though identity was asked for is stored as sent.
  public var keepsEncoding = false
  /// Whether the finished file gets the modification time that the server tells.
  public var takesServerTime = false
  /// Texts for the notification at the end.
  public var notify: NotificationTexts?
  /// Words to select by.
  public var tags: [String] {
    get { writtenTags.map(\.text) }
    set { writtenTags = newValue.map { BytewiseText($0) } }
  }
  private var writtenTags: [BytewiseText] = []

  /// The defaults.
  public init() {}
}

/// Settings of a file that many files share; one object for all entries with the same ones.
public final class FileOptions: Sendable {
  /// What is shared.
  public let settings: FileSettings
  /// Which published checksums are asked for: zero for none, else a number that changes with them.
  package let listMark: Int64

  /// Takes the settings.
  public init(_ settings: FileSettings) {
    self.settings = settings
    listMark = ListedChecksum.mark(of: settings.listedChecksums)
  }

  /// The commonest settings alone.
  public convenience init(
    headers: [HeaderField] = [], permissions: UInt16? = nil, onConflict: ConflictPolicy = .fail
  ) {
    var settings = FileSettings()
    settings.headers = headers
    settings.permissions = permissions
    settings.onConflict = onConflict
    self.init(settings)
  }

  /// Request headers, in the manifest's order.
  public var headers: [HeaderField] { settings.headers }
  /// Mode bits below 0o1000, or nil for 0666 less the umask.
  public var permissions: UInt16? { settings.permissions }
  /// What to do with a file that is in the way.
  public var onConflict: ConflictPolicy { settings.onConflict }

  /// Whether a response to the same URL would be the same request: the headers, names without case.
  package func hasSameHeaders(as other: FileOptions) -> Bool {
    if self === other { return true }
    func canonical(_ fields: [HeaderField]) -> [HeaderField] {
      fields.map { HeaderField($0.name.lowercased(), $0.value) }.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }
    return canonical(headers) == canonical(other.headers)
  }
}
