import DLSyncModel

/// Writes a manifest of what was read of a list.
struct ManifestWriter {
  private let reading: ListReading

  init(_ reading: ListReading) { self.reading = reading }

  func text(_ format: ListFormat) -> String {
    var text = "# Made by dlsync from \(Self.comment(reading.source)) (\(format.rawValue)).\nversion: 1\n"
    if reading.needsBase {
      text += "# The list has names alone. Where are these files?\n# baseURL: https://downloads.example.org/\n"
    }
    if !reading.queueLines.isEmpty {
      text += "queues:\n  default:\n" + reading.queueLines.map { "    \($0)\n" }.joined()
    }
    if reading.files.isEmpty { return text + "files: []\n" }
    text += "files:\n"
    for file in reading.files { text += Self.entry(file) }
    return text
  }

  private static func entry(_ file: ListedFile) -> String {
    if file.urls.count == 1, file.destination == nil, file.checksums.isEmpty, file.size == nil, file.headers.isEmpty {
      return "  - \(YAMLText.value(file.urls[0]))\n"
    }
    var text = "  - url: \(YAMLText.value(file.urls[0]))\n"
    if file.urls.count > 1 {
      text += "    mirrors:\n" + file.urls.dropFirst().map { "      - \(YAMLText.value($0))\n" }.joined()
    }
    if let destination = file.destination { text += "    destination: \(YAMLText.value(destination))\n" }
    if file.checksums.count == 1 {
      text += "    checksum: \(YAMLText.value(file.checksums[0]))\n"
    } else if !file.checksums.isEmpty {
      text += "    checksum:\n" + file.checksums.map { "      - \(YAMLText.value($0))\n" }.joined()
    }
    if let size = file.size { text += "    size: \(size)\n" }
    if !file.headers.isEmpty {
      text += "    headers:\n"
      text += file.headers.map { "      \(YAMLText.scalar($0.name)): \(YAMLText.value($0.value))\n" }.joined()
    }
    return text
  }

  /// A text that stays in a comment: without controls, and without what else ends a line, because the parser goes by that
  /// (YAML 1.1, section 5.4).
  private static func comment(_ text: String) -> String {
    String(text.unicodeScalars.map { YAMLText.mayStand($0) ? Character($0) : "?" })
  }
}
