package import DLSyncModel

/// The content codings of a body, in the order in which they were applied (RFC 9110, section 8.4). `identity` is none.
///
/// Parts of one body have all the same: a strong validator should tell, and servers that encode on the way keep it.
package struct ContentCodings: Equatable, Sendable {
  /// In lower case; empty for a body that is not encoded.
  package let names: [String]

  package init() { names = [] }

  package init(_ head: ResponseHead) { names = head.list(.contentEncoding).filter { $0 != "identity" } }

  /// Those of a response whose fields were kept.
  package init(_ fields: [HeaderField]) {
    // Almost none has any.
    guard fields.contains(where: { $0.name.isSameToken(as: FieldName.contentEncoding.text) }) else {
      self.init()
      return
    }
    self.init(ResponseHead(statusCode: 200, fields: fields))
  }
}
