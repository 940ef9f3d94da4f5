/// The lists of other tools that manifests are made from and turned into.
public enum ListFormat: String, CaseIterable, Sendable {
  /// An input file of aria2.
  case aria2
  /// Metalink 4 (RFC 5854); 3 is read as well.
  case metalink
  /// A list of checksums as sha256sum and its kin write it.
  case sums
  /// One URL a line.
  case urls
  /// A configuration file of curl.
  case curl
}

/// A text that was made from another one, and what could not be said in it.
public struct ConvertedList: Sendable {
  /// The manifest or list.
  public let text: String
  /// Sentences: what the text does not say though its source did.
  public let losses: [String]

  /// Takes both.
  public init(text: String, losses: [String]) {
    self.text = text
    self.losses = losses
  }
}
