/// One field of an HTTP request or response (RFC 9110, section 5).
public struct HeaderField: Hashable, Sendable {
  private let writtenName: BytewiseText
  private let writtenValue: BytewiseText
  /// The name as written; names compare without case.
  public var name: String { writtenName.text }
  /// The value without surrounding white space.
  public var value: String { writtenValue.text }

  /// Takes a name and a value as they are.
  public init(_ name: String, _ value: String) {
    writtenName = BytewiseText(name)
    writtenValue = BytewiseText(value)
  }
}
