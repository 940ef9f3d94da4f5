/// The release that this source makes.
public enum ProductVersion: Sendable {
  /// Semantic version.
  public static let text = "0.1.0"
  /// What servers are told.
  public static let userAgent = "dlsync/\(text)"
}
