/// A text that is equal to another one byte for byte.
///
/// `String` takes different forms of one Unicode character for equal: `é` as one scalar, and as `e` with an accent. A file
/// system, a server and the record of tasks do not, so whatever names a file, a queue or a manifest, or is sent, is compared
/// and looked up as this.
public struct BytewiseText: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The text as it is.
  public let text: String

  /// Takes the text as it is.
  public init(_ text: String) { self.text = text }

  /// The same of a literal.
  public init(stringLiteral text: String) { self.text = text }

  /// Whether both are the same bytes.
  public static func == (left: BytewiseText, right: BytewiseText) -> Bool { left.text.hasSameBytes(as: right.text) }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// Whether both are the same bytes.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (mine, its) = (self, other)
    return mine.withUTF8 { mine in
      its.withUTF8 { UnsafeRawBufferPointer(mine).hasSameBytes(as: UnsafeRawBufferPointer($0)) }
    }
  }

  /// Feeds the bytes.
  func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The text with other bytes in the place of some, which are not empty, wherever they stand. `replacing` passes over what
  /// has an accent behind it, and over the line feed of CR LF.
  package func replacingBytewise(_ old: String, with new: String) -> String {
    var (result, rest) = ([UInt8](), Array(utf8)[...])
    while !rest.isEmpty {
      if rest.starts(with: old.utf8) {
        result += new.utf8
        rest = rest.dropFirst(old.utf8.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether these bytes are its last ones.
  package func endsBytewise(with end: String) -> Bool {
    utf8.count >= end.utf8.count && utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
  }
}
