import DLSyncModel

/// Writes Metalink 4 (RFC 5854).
enum MetalinkWriter {
  static func write(_ files: [ListedFile]) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<metalink xmlns=\"\(MetalinkReader.namespace4)\">\n"
    for file in files {
      text += "  <file name=\"\(escaped(file.destination ?? ""))\">\n"
      if let size = file.size { text += "    <size>\(size)</size>\n" }
      for digest in file.checksums.compactMap({ try? DigestText.parse($0) }) {
        text += "    <hash type=\"\(name(digest.algorithm))\">\(digest.hex)</hash>\n"
      }
      for (index, url) in file.urls.enumerated() {
        text += "    <url priority=\"\(index + 1)\">\(escaped(url))</url>\n"
      }
      text += "  </file>\n"
    }
    return text + "</metalink>\n"
  }

  /// The names of the registry of hash functions (RFC 5854, section 4.2.8).
  static func name(_ algorithm: DigestAlgorithm) -> String {
    algorithm.name.hasPrefix("sha") ? "sha-" + algorithm.name.dropFirst(3) : algorithm.name
  }

  /// Whether XML 1.0, section 2.2, can hold a character at all.
  static func mayStand(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a, 0x0d: true
    case 0..<0x20, 0xfffe, 0xffff: false
    default: true
    }
  }

  /// XML 1.0, section 2.4. Characters that XML cannot hold become U+FFFD.
  private static func escaped(_ text: String) -> String {
    text.escaped { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\t", "\n", "\r": "&#\(scalar.value);"
      case _ where !mayStand(scalar): "\u{fffd}"
      default: nil
      }
    }
  }
}
