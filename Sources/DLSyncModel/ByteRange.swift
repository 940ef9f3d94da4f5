/// A half-open range of byte offsets within one resource: `lower ..< upper`.
///
/// HTTP writes both ends inclusively (RFC 9110, section 14.1.2); only the code that writes and reads the header converts.
public struct ByteRange: Hashable, Sendable {
  /// The first offset of the range.
  public let lower: Int64
  /// The offset behind the last byte.
  public let upper: Int64

  /// Makes a range; an upper end below the lower one is a programming error.
  public init(_ lower: Int64, _ upper: Int64) {
    precondition(lower >= 0 && upper >= lower, "a byte range runs forward from zero")
    self.lower = lower
    self.upper = upper
  }

  /// How many bytes the range holds.
  public var length: Int64 { upper - lower }
  /// Whether it holds none.
  public var isEmpty: Bool { upper == lower }
}
