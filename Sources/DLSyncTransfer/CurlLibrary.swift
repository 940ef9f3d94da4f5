import CCurl
import Glibc

/// libcurl's own set-up, once a process and only when a transfer is about to be made: it costs about a millisecond.
enum CurlLibrary {
  private static let status = curl_global_init(Int(CURL_GLOBAL_SSL) | Int(CURL_GLOBAL_WIN32))

  static func begin() { precondition(status == CURLE_OK, "libcurl could not be set up") }

  /// libcurl converts international host names from the locale's encoding. Ours are UTF-8 whatever the user's locale is,
  /// so the calling thread, and it alone, gets one that says so. Kept for the thread's life.
  static func prepareThread() {
    guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return }
    _ = uselocale(locale)
  }
}
