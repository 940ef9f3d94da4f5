package import DLSyncModel

/// Status and fields of one response, duplicates and order kept (RFC 9112, section 2.1).
package struct ResponseHead: Equatable, Sendable {
  package var statusCode: Int
  package var fields: [HeaderField]

  package init(statusCode: Int, fields: [HeaderField] = []) {
    self.statusCode = statusCode
    self.fields = fields
  }

  /// The values of every field of that name, in order. Names compare without case.
  package func values(_ name: String) -> [String] {
    fields.lazy.filter { $0.name.isSameToken(as: name) }.map(\.value)
  }

  /// The value of the first field of that name, or nil.
  package func first(_ name: String) -> String? {
    fields.first { $0.name.isSameToken(as: name) }?.value
  }

  /// The elements of a comma-separated list field, lower case, over all its lines (RFC 9110, section 5.6.1).
  package func list(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }.map { $0.trimmedOfBlanks.lowercased() }.filter { !$0.isEmpty }
  }
}

extension StringProtocol {
  /// Equality without the case of ASCII letters: how field names and most tokens compare.
  func isSameToken(as other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).allSatisfy {
      $0 == $1 || ($0 | 0x20 == $1 | 0x20 && ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a)
    }
  }

  /// Without spaces and tabs at both ends.
  var trimmedOfBlanks: String {
    var rest = self[...]
    while let first = rest.utf8.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
    return String(rest)
  }

  /// The number that the text is, when it is nothing but decimal digits and below 2^63.
  var plainNumber: Int64? {
    guard !isEmpty, utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int64(self)
  }
}
