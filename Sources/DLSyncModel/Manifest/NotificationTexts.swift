/// What to say at the end of a file, or of a whole run.
public struct NotificationTexts: Hashable, Sendable {
  /// When all went well; nil for nothing.
  public var success: String? {
    get { ofSuccess?.text }
    set { ofSuccess = newValue.map { BytewiseText($0) } }
  }
  /// When it did not; nil for nothing.
  public var failure: String? {
    get { ofFailure?.text }
    set { ofFailure = newValue.map { BytewiseText($0) } }
  }
  private var ofSuccess: BytewiseText?
  private var ofFailure: BytewiseText?

  /// Takes both.
  public init(success: String? = nil, failure: String? = nil) {
    ofSuccess = success.map { BytewiseText($0) }
    ofFailure = failure.map { BytewiseText($0) }
  }
}
