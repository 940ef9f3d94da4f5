import DLSyncModel

/// Errors as key=value lines.
enum ErrorCoding {
  static func encode(_ error: DLSyncError) -> String {
    let words: [(key: String, value: String?)] = [
      ("code", error.code.text), ("message", error.message), ("hint", error.hint),
    ]
    return LineCoding.encode(words.present) + encode(error.details, isRetryable: error.isRetryable)
  }

  /// What an error says beside code, message and hint; `isRetryable` where its code does not decide.
  static func encode(_ details: DLSyncError.Details, isRetryable: Bool? = nil) -> String {
    let facts: [(key: String, value: String?)] = [
      ("isRetryable", (isRetryable ?? details.isRetryable).map { $0 ? "1" : "0" }),
      ("statusCode", details.statusCode.map { "\($0)" }), ("retryAfter", details.retryAfter.map { "\($0)" }),
      ("underlying", details.underlying),
    ]
    return LineCoding.encode(facts.present)
  }

  static func decode(_ text: String) -> DLSyncError {
    let pairs = Dictionary(LineCoding.decode(text)) { first, _ in first }
    return DLSyncError(
      pairs["code"].flatMap { ErrorCode(text: $0) } ?? .internal, pairs["message"] ?? "", hint: pairs["hint"],
      details(text))
  }

  static func details(_ text: String) -> DLSyncError.Details {
    let pairs = Dictionary(LineCoding.decode(text)) { first, _ in first }
    return DLSyncError.Details(
      isRetryable: pairs["isRetryable"].map { $0 == "1" }, statusCode: pairs["statusCode"].flatMap { Int($0) },
      retryAfter: pairs["retryAfter"].flatMap { Double($0) }, underlying: pairs["underlying"])
  }
}

extension Array where Element == (key: String, value: String?) {
  fileprivate var present: [(key: String, value: String)] {
    compactMap { pair in pair.value.map { (key: pair.key, value: $0) } }
  }
}
