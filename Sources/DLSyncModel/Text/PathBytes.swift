// Paths are cut at the bytes of their slashes, as the system cuts them. `String` takes a slash and an accent behind it for
// one character, which is no slash: a `..` before such a name would go unseen.
extension String {
  /// What stands between the slashes; nothing of what is empty.
  package var pathComponents: [Substring] { utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) } }

  /// Whether the path begins at the root of all.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// Whether the path names a folder by its last byte.
  package var endsInSlash: Bool { utf8.last == UInt8(ascii: "/") }

  /// The folder of what an absolute path names; the root has itself.
  package var parentPath: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")), slash != utf8.startIndex else { return "/" }
    return String(self[..<slash])
  }

  /// Whether the first bytes are these.
  package func beginsBytewise(with beginning: String) -> Bool { utf8.starts(with: beginning.utf8) }
}
