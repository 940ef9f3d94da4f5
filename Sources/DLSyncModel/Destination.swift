/// Where a file is to be published: an absolute path without `.`, `..`, empty components or NUL. It remembers how much of
/// it is the manifest's root, because what is below the root may not leave it through a symbolic link.
public struct Destination: Hashable, Sendable {
  /// The whole path.
  public let path: String
  private let rootLength: Int32

  /// The reasons why a text is no destination.
  public enum Problem: Error, Equatable, Sendable {
    /// Nothing was written, or nothing is left but the root itself.
    case empty
    /// A NUL character, which no path can hold.
    case holdsNUL
    /// `..` climbs out of the root.
    case leavesRoot
    /// It names a folder: `/`, or a path that ends in `/` or `.`.
    case namesFolder
  }

  /// A destination as a manifest writes it: absolute, or relative to `root` (itself absolute).
  /// `.` and `..` are resolved by text alone; the disk is not asked.
  public init(_ text: String, root: String) throws(Problem) {
    if Self.isPlain(text) {
      path = (root == "/" ? "" : root) + "/" + text
      rootLength = Int32(root.utf8.count)
      return
    }
    guard !text.isEmpty else { throw .empty }
    guard !text.utf8.contains(0) else { throw .holdsNUL }
    let isAbsolute = text.utf8.first == UInt8(ascii: "/")
    var components: [Substring] = []
    for component in text.pathComponents where component != "." {
      guard component == ".." else {
        components.append(component)
        continue
      }
      if components.popLast() == nil, !isAbsolute { throw .leavesRoot }
    }
    if text.utf8.last == UInt8(ascii: "/") || text == "." || text.hasSuffix("/.") || text == ".."
      || text.hasSuffix("/..")
    {
      throw .namesFolder
    }
    guard !components.isEmpty else { throw .namesFolder }
    let below = components.joined(separator: "/")
    if isAbsolute {
      path = "/" + below
      rootLength = 0
    } else {
      let base = root == "/" ? "" : root
      path = base + "/" + below
      rootLength = Int32(root.utf8.count)
    }
  }

  /// A path that this type resolved earlier.
  init(path: String, rootLength: Int32) {
    self.path = path
    self.rootLength = rootLength
  }

  /// Whether a text is relative and has nothing to resolve or refuse: the short way for most destinations.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isPlain(UnsafeRawBufferPointer($0)) }
  }

  static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    var before = UInt8(ascii: "/")
    for byte in text {
      if before == UInt8(ascii: "/"), byte == before || byte == UInt8(ascii: ".") { return false }
      if byte == 0 { return false }
      before = byte
    }
    return before != UInt8(ascii: "/")
  }

  /// The manifest's root when the destination was written relative to it, else nil.
  public var root: String? { rootLength == 0 ? nil : String(path.utf8.prefix(Int(rootLength)))! }

  /// How many bytes of the path are the root; zero where it was written as a whole path.
  package var rootByteCount: Int { Int(rootLength) }

  /// The destination as seen from its root; the whole path where it was written as one.
  public var relativePath: String {
    guard rootLength > 0 else { return path }
    let rest = path.utf8.dropFirst(Int(rootLength))
    return String(rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest)!
  }

  /// The folder that holds the file.
  public var folder: String { path.parentPath }

  /// The last component.
  public var name: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}

extension Destination {
  /// Two destinations are equal byte for byte: whether `é` in one form is the same name as in the other is for the file
  /// system to say, not for Unicode.
  public static func == (left: Destination, right: Destination) -> Bool {
    left.rootLength == right.rootLength && left.path.utf8.elementsEqual(right.path.utf8)
  }

  /// Feeds the bytes of the path.
  public func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension Destination: CustomStringConvertible {
  /// The whole path.
  public var description: String { path }
}
