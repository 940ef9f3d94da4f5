internal import DLSyncDisk
internal import DLSyncManifest
internal import DLSyncStore
internal import DLSyncTransfer

/// The libraries that this program runs with, which may be newer than those that it was built with.
public enum LibraryVersions: Sendable {
  /// Name and version of each, as the libraries say them; libcurl's with those of the libraries below it.
  public static var all: [(name: String, version: String)] {
    let curl = CurlFacts.version.split(separator: " ", maxSplits: 1).map(String.init)
    let below = curl.count > 1 ? " (\(curl[1]))" : ""
    let head = curl.first?.split(separator: "/").last.map(String.init) ?? "?"
    return [
      ("libcurl", head + below), ("SQLite", SQLiteFacts.version), ("libyaml", YAMLFacts.version),
      ("OpenSSL", String(CryptoFacts.version.trimmingPrefix("OpenSSL "))),
    ]
  }
}
