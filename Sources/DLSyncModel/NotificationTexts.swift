/// What to say at the end of a file, or of a whole run.
public struct NotificationTexts: Hashable, Sendable {
  /// When all went well; nil for nothing.
  public var success: String?
  /// When it did not; nil for nothing.
  public var failure: String?

  /// Takes both.
  public init(success: String? = nil, failure: String? = nil) {
    self.success = success
    self.failure = failure
  }
}
