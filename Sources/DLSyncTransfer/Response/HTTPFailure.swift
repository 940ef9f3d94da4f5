package import DLSyncModel

/// Words for statuses that bring no file.
package enum HTTPFailure {
  private static let againHint = "run again later"

  /// Some refuse every `Range`: what is there already would then stand in the way for good.
  private static let wholeHint = "\"dlsync restart\" asks for the whole, should the server refuse Range"

  static func error(status: Int, url: SourceURL, isOfRange: Bool = false) -> DLSyncError {
    let message = "the server answered \(HTTPStatusText.text(status)) for \"\(url.shown)\""
    switch status {
    case 401:
      return DLSyncError(
        .authenticationRequired, message, hint: "say who you are: with an Authorization header, or with --netrc",
        .init(statusCode: status))
    case 403:
      return DLSyncError(
        .authenticationRequired, message,
        hint: "check the credentials, if any were sent, and whether a signed URL has expired"
          + (isOfRange ? "; \(wholeHint)" : ""),
        .init(statusCode: status))
    case 404, 410:
      return DLSyncError(.httpStatus, message, hint: "check the URL", .init(statusCode: status))
    case 408, 429, 500...:
      return DLSyncError(.httpStatus, message, hint: againHint, .init(statusCode: status))
    default:
      return DLSyncError(
        .httpStatus, message, hint: isOfRange ? wholeHint : "check the URL", .init(statusCode: status))
    }
  }

  /// A host that asked others to be left alone was not asked.
  package static func postponed(_ url: SourceURL, _ pause: HostPause) -> DLSyncError {
    // In whole seconds, as the host said it.
    let seconds = pause.length.inSeconds.rounded(.up)
    var details = DLSyncError.Details(
      isRetryable: true, statusCode: pause.statusCode, retryAfter: seconds)
    details.isPostponed = true
    let answer = pause.statusCode.map { "answered \(HTTPStatusText.text($0)) to another request and " } ?? ""
    return DLSyncError(
      .httpStatus,
      "\"\(url.shown)\" was not asked for: \"\(pause.host)\" \(answer)wants to be left alone for "
        + "\(Int64(seconds)) s",
      hint: adding(.seconds(seconds), to: DLSyncError(.httpStatus, "", hint: againHint)).hint, details)
  }

  /// The same error with what the server said about when to come back.
  package static func adding(_ delay: Duration?, to error: DLSyncError) -> DLSyncError {
    guard let delay else { return error }
    var details = error.details
    details.retryAfter = delay.inSeconds
    let hint = error.hint == againHint ? "run again in \(delay.secondsText) s or later" : error.hint
    return DLSyncError(error.code, error.message, hint: hint, details)
  }
}
