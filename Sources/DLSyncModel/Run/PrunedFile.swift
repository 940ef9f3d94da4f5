/// A record that was pruned, and what became of its file.
public struct PrunedFile: Hashable, Sendable {
  /// What became of the file.
  public enum End: Hashable, Sendable {
    /// It was still exactly what dlsync published, and is gone.
    case deleted
    /// Nothing was there.
    case absent
    /// It is not, or not surely, what dlsync published, and stays.
    case kept
  }

  /// An absolute path.
  public let destination: String
  /// What became of it.
  public let end: End

  /// Takes every part.
  public init(destination: String, end: End) {
    self.destination = destination
    self.end = end
  }
}
