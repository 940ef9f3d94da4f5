package import DLSyncModel

/// Status and fields of one response, duplicates and order kept (RFC 9112, section 2.1).
package struct ResponseHead: Equatable, Sendable {
  package var statusCode: Int
  /// The number before the dot of the HTTP version: from 2 on the protocol itself marks the end of a body.
  package var majorVersion: Int
  package var fields: [HeaderField]

  package init(statusCode: Int, majorVersion: Int = 1, fields: [HeaderField] = []) {
    self.majorVersion = majorVersion
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

  /// Whether every field of that name has that value; true where there is none.
  func all(_ name: String, are value: String) -> Bool {
    fields.allSatisfy { !$0.name.isSameToken(as: name) || $0.value == value }
  }

  /// Whether a list field holds an element.
  func lists(_ name: String, _ element: String) -> Bool {
    fields.contains { field in
      field.name.isSameToken(as: name) && (field.value.isSameToken(as: element) || list(name).contains(element))
    }
  }

  /// The elements of a comma-separated list field, lower case, over all its lines (RFC 9110, section 5.6.1).
  package func list(_ name: String) -> [String] {
    guard first(name) != nil else { return [] }
    return values(name).flatMap { $0.split(separator: ",") }.map { $0.trimmedOfBlanks.lowercased() }.filter {
      !$0.isEmpty
    }
  }
}

extension String {
  /// Equality without the case of ASCII letters. The short way for whole strings, which field names are.
  func isSameToken(as other: String) -> Bool {
    guard utf8.count == other.utf8.count, utf8.first.map({ $0 | 0x20 }) == other.utf8.first.map({ $0 | 0x20 }) else {
      return false
    }
    return self == other || self[...].isSameToken(as: other[...])
  }
}

extension StringProtocol {
  /// Equality without the case of ASCII letters: how field names and most tokens compare.
  func isSameToken(as other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return utf8.elementsEqual(other.utf8) { left, right in
      let lower = left | 0x20
      return left == right || (lower == right | 0x20 && lower >= 0x61 && lower <= 0x7a)
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
