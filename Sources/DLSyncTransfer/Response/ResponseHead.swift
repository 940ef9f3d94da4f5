package import DLSyncModel

/// Status and fields of one response, duplicates and order kept (RFC 9112, section 2.1).
package struct ResponseHead: Equatable, Sendable {
  package let statusCode: Int
  /// The number before the dot of the HTTP version: from 2 on the protocol itself marks the end of a body.
  package let majorVersion: Int
  package private(set) var fields: [HeaderField] = []
  /// What each of the fields is.
  private var names: [FieldName?] = []

  package init(statusCode: Int, majorVersion: Int = 1, fields: [HeaderField] = []) {
    self.majorVersion = majorVersion
    self.statusCode = statusCode
    self.fields.reserveCapacity(max(12, fields.count))
    names.reserveCapacity(max(12, fields.count))
    for field in fields { append(field, FieldName(field.name)) }
  }

  /// Adds a field whose name is known already.
  mutating func append(_ field: HeaderField, _ name: FieldName?) {
    fields.append(field)
    names.append(name)
  }

  /// Gives the last field a longer value.
  mutating func extendLast(by text: String) {
    guard let last = fields.popLast() else { return }
    fields.append(HeaderField(last.name, (last.value + " " + text).trimmedOfBlanks))
  }

  /// The values of every field of that name, in order.
  package func values(_ name: FieldName) -> [String] {
    names.indices.filter { names[$0] == name }.map { fields[$0].value }
  }

  /// The value of the first field of that name, or nil.
  package func first(_ name: FieldName) -> String? {
    names.firstIndex(of: name).map { fields[$0].value }
  }

  /// Whether every field of that name has that value; true where there is none.
  func all(_ name: FieldName, are value: String) -> Bool {
    names.indices.allSatisfy { names[$0] != name || fields[$0].value == value }
  }

  /// Whether a list field holds an element.
  func lists(_ name: FieldName, _ element: String) -> Bool {
    first(name).map { $0.isSameToken(as: element) || list(name).contains(element) } ?? false
  }

  /// The elements of a comma-separated list field, lower case, over all its lines (RFC 9110, section 5.6.1).
  package func list(_ name: FieldName) -> [String] {
    guard names.contains(name) else { return [] }
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
