/// What went wrong, for people and for programs.
///
/// The message says what could not be done, to what, and why; user text stands in quotes, numbers have units. The hint
/// says what to do now. Neither ever holds a header value, a password or a credential of a URL.
public struct DLSyncError: Error, Equatable, Sendable {
  // One reference keeps the many places that may hold an error small.
  private final class Storage: Sendable {
    let code: ErrorCode
    let message: String
    let hint: String?
    let details: Details
    init(_ code: ErrorCode, _ message: String, _ hint: String?, _ details: Details) {
      self.code = code
      self.message = message
      self.hint = hint
      self.details = details
    }
  }

  /// Facts that only some errors have.
  public struct Details: Equatable, Sendable {
    /// Overrides the catalogue: whether the same request may succeed later.
    public var isRetryable: Bool?
    /// The HTTP status, where there was one.
    public var statusCode: Int?
    /// Seconds that the server asks to wait.
    public var retryAfter: Double?
    /// The place in the manifest.
    public var location: SourceLocation?
    /// The text of the system or library underneath; of a checksum mismatch, what `found` says.
    public var underlying: String?
    /// Whether it is the record's trouble, and so of the whole run, although other trouble of this code is one file's.
    package var isOfRecord = false
    /// Whether the file has its final name all the same: what was recorded before the move explains it to the next run.
    package var isPlaced = false
    /// Whether nobody was asked, because a host wants to be left alone: that is no attempt.
    package var isPostponed = false
    /// Of a size that is not the declared one.
    package var sizeMismatch: SizeMismatch?

    /// No facts at all.
    public init(
      isRetryable: Bool? = nil, statusCode: Int? = nil, retryAfter: Double? = nil, location: SourceLocation? = nil,
      underlying: String? = nil
    ) {
      self.isRetryable = isRetryable
      self.statusCode = statusCode
      self.retryAfter = retryAfter
      self.location = location
      self.underlying = underlying
    }
  }

  private let storage: Storage

  /// The same of a file that has its final name all the same.
  package var ofPlaced: DLSyncError {
    var details = details
    details.isPlaced = true
    return DLSyncError(code, message, hint: hint, details)
  }

  /// Makes an error: the code first, then words, then facts.
  public init(_ code: ErrorCode, _ message: String, hint: String? = nil, _ details: Details = Details()) {
    storage = Storage(code, message, hint, details)
  }

  /// The stable name of the kind of trouble.
  public var code: ErrorCode { storage.code }
  /// What could not be done, to what, and why.
  public var message: String { storage.message }
  /// What to do now, where that is known.
  public var hint: String? { storage.hint }
  /// Facts that only some errors have.
  public var details: Details { storage.details }
  /// Whether the same request may succeed later.
  public var isRetryable: Bool { storage.details.isRetryable ?? storage.code.isRetryable }

  /// Two errors are equal when everything they say is.
  public static func == (left: DLSyncError, right: DLSyncError) -> Bool {
    left.storage === right.storage
      || (left.code == right.code && left.message == right.message && left.hint == right.hint
        && left.details == right.details)
  }
}

extension DLSyncError.Details {
  /// Of a checksum mismatch: the digest that the bytes have.
  package init(found: Digest?) { self.init(underlying: found?.description) }

  /// The same, nil where none is noted.
  package var found: Digest? {
    guard let parts = underlying?.split(separator: ":", maxSplits: 1), parts.count == 2,
      let algorithm = DigestAlgorithm(name: String(parts[0]))
    else { return nil }
    return Digest(algorithm, hex: parts[1])
  }
}

extension DLSyncError: CustomStringConvertible {
  /// `code: message`.
  public var description: String { "\(code): \(message)" }
}
