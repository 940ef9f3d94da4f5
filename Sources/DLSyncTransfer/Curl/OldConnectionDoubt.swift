import CCurl

/// Whether what comes over a connection that was used before answers this request, or is what another answer left behind
/// (RFC 9112, section 9.3). In doubt the same target is asked once more over a connection of its own, and whoever asks
/// there learns what the server says.
struct OldConnectionDoubt {
  /// Whether the target is asked over a connection of its own.
  private(set) var needsNewConnection = false
  private var isStopped = false

  /// Bytes lay unread before the request was sent: whatever they look like, they answer something else.
  mutating func foundUnreadBytes() { isStopped = true }

  /// Whether a request that ended with this code is to be asked anew. What is no HTTP is doubtful where the connection is an
  /// old one, and no answer came before it.
  mutating func asksAnew(_ code: CURLcode, isUnanswered: Bool, _ usedOldConnection: Bool) -> Bool {
    let isNoHTTP = code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY
    let isDoubtful = isNoHTTP && isUnanswered && usedOldConnection && !needsNewConnection
    guard isStopped || isDoubtful else { return false }
    isStopped = false
    needsNewConnection = true
    return true
  }
}
