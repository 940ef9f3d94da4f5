import CCurl
import Glibc

/// libcurl's own set-up, once a process and only when a transfer is about to be made: it costs about a millisecond.
enum CurlLibrary {
  private static let status = curl_global_init(Int(CURL_GLOBAL_SSL) | Int(CURL_GLOBAL_WIN32))

  static func begin() { precondition(status == CURLE_OK, "libcurl could not be set up") }

  /// One for all threads, kept for the process's life; a number because a pointer could not be shared.
  private static let localeAddress = UInt(bitPattern: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))

  /// libcurl converts international host names from the locale's encoding. Ours are UTF-8 whatever the user's locale is,
  /// so the calling thread, and it alone, gets one that says so.
  static func prepareThread() {
    guard let locale = locale_t(bitPattern: localeAddress) else { return }
    _ = uselocale(locale)
  }
}
