import DLSyncModel

/// The formats that the lists of `filesFrom` may have.
enum RecordFormat: String, CaseIterable {
  case urls, ndjson, csv, tsv, aria2, sums

  /// The format that a file's name tells.
  init?(path: String) {
    var name = path.pathComponents.last.map { $0.lowercased() } ?? ""
    // `SHA256SUMS.txt` is no list of URLs.
    if name.hasSuffix("sums.txt") { name.removeLast(4) }
    switch name.split(separator: ".").last.map(String.init) ?? "" {
    case "urls", "txt", "lst": self = .urls
    case "ndjson", "jsonl": self = .ndjson
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "aria2": self = .aria2
    case "sums", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "b2": self = .sums
    default:
      guard name.hasSuffix("sums") else { return nil }
      self = .sums
    }
  }
}
