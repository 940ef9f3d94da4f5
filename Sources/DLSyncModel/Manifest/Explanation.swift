/// One value that counts for a file, and where it comes from.
public struct ExplainedValue: Sendable {
  /// Who says so.
  public enum Origin: String, CaseIterable, Sendable {
    /// The entry itself, or another part of the manifest that alone can say it.
    case manifest
    /// The manifest's `defaults`.
    case defaults
    /// A line of an external list.
    case list
    /// What `filesFrom` says of a whole list.
    case listDefaults
    /// The lock file.
    case lock
    /// A variable of the environment that the manifest does not name.
    case environment
    /// An option of the command line.
    case option
    /// It follows from another value: a name from the URL.
    case derived
    /// What holds where nobody says anything.
    case builtIn
  }

  /// A variable that took part in a value.
  public struct Variable: Hashable, Sendable {
    /// Where a variable has its value from.
    public enum Origin: String, CaseIterable, Sendable {
      /// `vars` of the manifest.
      case vars
      /// One of the entry's `matrix`.
      case matrix
      /// The environment.
      case environment
      /// `--var`, or what a program gives.
      case option
      /// The default of `${env:NAME:-default}`.
      case fallback
    }
    /// As it stands in the text, without braces: `release`, `env:TOKEN`.
    public let name: String
    /// Where its value comes from.
    public let origin: Origin
    /// The line of `vars`, counted from 1.
    public let line: Int?

    /// Takes every part.
    public init(name: String, origin: Origin, line: Int?) {
      self.name = name
      self.origin = origin
      self.line = line
    }
  }

  /// The key, with dots: `headers.Accept`, `queue.rate`.
  public let key: String
  /// The value in words, without anything secret; nil where there is none.
  public let value: String?
  /// Who says so.
  public let origin: Origin
  /// Where, as far as it stands in a file.
  public var location: SourceLocation?
  /// The option or the variable of the environment, where it is one.
  public var name: String?
  /// The variables that were filled in.
  public var variables: [Variable] = []

  /// Takes what there always is.
  public init(_ key: String, _ value: String?, _ origin: Origin, location: SourceLocation? = nil, name: String? = nil) {
    self.key = key
    self.value = value
    self.origin = origin
    self.location = location
    self.name = name
  }
}

/// Every value that counts for one file.
public struct Explanation: Sendable {
  /// The file as the manifest and its lock file have it.
  public let entry: FileEntry
  /// Where its entry stands.
  public let location: SourceLocation
  /// In the order of the manifest's documentation: the file's keys, then those of its queue.
  public var values: [ExplainedValue]

  /// Takes every part.
  public init(entry: FileEntry, location: SourceLocation, values: [ExplainedValue]) {
    self.entry = entry
    self.location = location
    self.values = values
  }
}
