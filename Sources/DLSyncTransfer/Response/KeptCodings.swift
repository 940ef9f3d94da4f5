/// Which content codings of a response, though identity was asked for, are the file's own: the body is stored as it is sent
/// then, and refused otherwise.
package enum KeptCodings: Hashable, Sendable {
  /// Whatever the server chose.
  case all
  /// One of these, by their names in lower case (RFC 9110, section 8.4.1).
  case one(of: Set<String>)

  /// The codings of an ordinary file.
  package static let none = KeptCodings.one(of: [])

  /// The coding for which a body is refused; nil where it is taken. Of several only the first can be the file's own.
  func refused(_ codings: ContentCodings) -> String? {
    guard case .one(let own) = self, let first = codings.names.first else { return nil }
    return own.contains(first) ? codings.names.dropFirst().first : first
  }
}
