/// A checksum that stands in a list which somebody publishes: what a manifest says of it. The digest itself is only known
/// once the list was read.
public struct ListedChecksum: Hashable, Sendable {
  /// Where a list is.
  public enum Place: Hashable, Sendable {
    /// It is fetched.
    case url(SourceURL)
    /// A file of this machine, an absolute path.
    case file(String)
  }

  /// Where the list is.
  public let place: Place
  /// Which of the list's digests counts; nil takes the strongest.
  public let algorithm: DigestAlgorithm?
  /// The name in the list; nil is the URL's last component.
  public var name: String? { writtenName?.text }
  private let writtenName: BytewiseText?

  /// Takes every part.
  public init(place: Place, algorithm: DigestAlgorithm?, name: String?) {
    self.place = place
    self.algorithm = algorithm
    writtenName = name.map { BytewiseText($0) }
  }

  /// A number that changes with what is asked for, credentials of the list's URL aside; zero for nothing.
  static func mark(of checksums: [ListedChecksum]) -> Int64 {
    guard !checksums.isEmpty else { return 0 }
    var hash = StableHash()
    for checksum in checksums {
      switch checksum.place {
      case .url(let url): hash.combine(Redaction.resource(url.text, isSigned: Redaction.isSigned(url.text)))
      case .file(let path): hash.combine(path)
      }
      hash.combine(checksum.algorithm?.name ?? "")
      hash.combine(checksum.name ?? "")
    }
    return Int64(bitPattern: hash.finish() | 1)
  }
}

extension ListedChecksum.Place {
  /// Paths are compared byte for byte.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.url(let left), .url(let right)): left == right
    case (.file(let left), .file(let right)): left.hasSameBytes(as: right)
    case (.url, .file), (.file, .url): false
    }
  }

  /// Feeds the URL, or the bytes of the path.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .url(let url): hasher.combine(url)
    case .file(let path): hasher.combine(BytewiseText(path))
    }
  }
}

extension ListedChecksum.Place: CustomStringConvertible {
  /// The path, or the URL without credentials.
  public var description: String {
    switch self {
    case .url(let url): url.redacted
    case .file(let path): path
    }
  }
}

extension FileEntry {
  /// The name that a list has for the file, where the manifest gives none.
  package func name(in checksum: ListedChecksum) -> String { checksum.name ?? url.fileName ?? destination.name }
}
