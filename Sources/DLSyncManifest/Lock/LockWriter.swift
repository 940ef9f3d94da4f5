package import DLSyncModel

/// Writes a lock file: the same text for the same pins, whatever order they come in, so that version control shows what
/// really changed.
package enum LockWriter {
  /// The whole text.
  package static func text(_ lock: ManifestLock) -> String {
    let lines = lock.lines.sorted { left, right in
      if left.destination != right.destination { return left.destination.isBytewiseLess(than: right.destination) }
      return left.url.isBytewiseLess(than: right.url)
    }
    var text = """
      # The lock file of dlsync: which bytes each file must have. Written by `dlsync lock`, read by plan and apply;
      # `dlsync lock --update` renews it. Keep it under version control.
      version: 1
      files:
      """
    if lines.isEmpty { return text + " []\n" }
    text += "\n"
    for line in lines {
      text += "  - destination: \(YAMLText.scalar(line.destination))\n"
      text += "    url: \(YAMLText.scalar(line.url))\n"
      text += "    size: \(line.size.bytes)\n"
      text += "    sha256: \(YAMLText.scalar(line.sha256.hex))\n"
      if let tag = line.entityTag { text += "    etag: \(YAMLText.scalar(tag))\n" }
      if let date = line.lastModified { text += "    lastModified: \(YAMLText.scalar(date))\n" }
    }
    return text
  }
}

extension String {
  /// By bytes: the same order in every language and on every machine.
  fileprivate func isBytewiseLess(than other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
