/// A length that is not the declared one, in parts: who declares it decides the words.
package struct SizeMismatch: Equatable, Sendable {
  /// The length in bytes.
  package let declared: Int64
  /// What there is instead, such as `the server has 5 bytes`.
  package let found: String

  package init(declared: Int64, found: String) {
    self.declared = declared
    self.found = found
  }

  /// The whole in words, which begin with who declares it.
  package func message(_ declarer: String = "the manifest declares") -> String {
    "\(declarer) \(declared) bytes, \(found)"
  }
}

extension DLSyncError {
  /// The error of such a length.
  package init(_ mismatch: SizeMismatch, hint: String, declarer: String = "the manifest declares") {
    var details = Details()
    details.sizeMismatch = mismatch
    self.init(.sizeMismatch, mismatch.message(declarer), hint: hint, details)
  }
}
