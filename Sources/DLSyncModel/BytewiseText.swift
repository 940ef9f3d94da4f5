/// A text that is equal to another one byte for byte. `String` takes different forms of one Unicode character for equal, and
/// a file system does not.
package struct BytewiseText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: BytewiseText, right: BytewiseText) -> Bool { left.text.hasSameBytes(as: right.text) }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
  /// Whether both are the same bytes.
  package func hasSameBytes(as other: String) -> Bool {
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
}
