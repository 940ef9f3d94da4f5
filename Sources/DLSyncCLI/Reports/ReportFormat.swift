/// The kinds of report files, told by the suffix of their names.
enum ReportFormat: String, CaseIterable, Sendable {
  case html, json, md, prom, xml

  /// The format of a file's name, whatever its case; nil where the suffix is none of these.
  init?(path: String) {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    // `.json` alone is a hidden file without a suffix.
    let first = name.map { path.utf8.index(after: $0) } ?? path.startIndex
    guard dot > first else { return nil }
    self.init(rawValue: path[path.utf8.index(after: dot)...].lowercased())
  }
}

/// A report that the user asked for.
struct ReportRequest: Hashable, Sendable {
  let path: String
  let format: ReportFormat
}
