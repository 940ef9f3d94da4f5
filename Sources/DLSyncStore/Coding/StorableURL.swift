import DLSyncModel

/// `Redaction.storable`, spared where a glance shows that there is nothing to take away.
enum StorableURL {
  static func text(of url: String) -> String {
    let mayHold = url.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
    return mayHold ? Redaction.storable(url) : url
  }
}
