internal import DLSyncDisk
internal import DLSyncManifest
internal import DLSyncStore
internal import DLSyncTransfer

/// The libraries that this program runs with, which may be newer than those that it was built with.
public enum LibraryVersions: Sendable {
  /// Name and version of each, as the libraries say them; libcurl's with those of the libraries below it.
  public static var all: [(name: String, version: String)] {
    [
      ("libcurl", curl), ("SQLite", SQLiteFacts.version), ("libyaml", YAMLFacts.version),
      ("OpenSSL", String(CryptoFacts.version.trimmingPrefix("OpenSSL "))),
    ]
  }

  private static var curl: String {
    guard let version = CurlFacts.version else { return "missing" }
    let parts = version.split(separator: " ", maxSplits: 1).map(String.init)
    let below = parts.count > 1 ? " (\(parts[1]))" : ""
    return (parts.first?.split(separator: "/").last.map(String.init) ?? "?") + below
  }
}
