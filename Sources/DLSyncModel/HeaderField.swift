/// One field of an HTTP request or response (RFC 9110, section 5).
public struct HeaderField: Hashable, Sendable {
  /// The name as written; names compare without case.
  public let name: String
  /// The value without surrounding white space.
  public let value: String

  /// Takes a name and a value as they are.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
