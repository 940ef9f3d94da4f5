package import DLSyncModel

/// What a server told about a file, as far as it is kept. Fields that carry secrets are dropped when it is recorded.
package struct ResponseRecord: Equatable, Sendable {
  package var statusCode: Int?
  /// Where redirects led, already without credentials (`Redaction.storable`).
  package var finalURL: String
  package var headers: [HeaderField]
  /// Whether a later attempt can go on from confirmed bytes; nil where that did not show.
  package var isResumable: Bool?
  /// The resource's whole length.
  package var total: ByteCount?
  /// The strong validator's text: in quotes an entity tag, else a date.
  package var validator: String?

  package init(
    statusCode: Int?, finalURL: String, headers: [HeaderField] = [], isResumable: Bool? = nil,
    total: ByteCount? = nil, validator: String? = nil
  ) {
    self.statusCode = statusCode
    self.finalURL = finalURL
    self.headers = headers
    self.isResumable = isResumable
    self.total = total
    self.validator = validator
  }
}
