import CCurl
import DLSyncModel
import Glibc

/// libcurl is loaded and set up once a process, and only when it is needed: that takes as long as all else at the start.
enum CurlLibrary {
  /// The name under which every distribution has the library that programs are linked with.
  static let name = "libcurl.so.4"

  /// Why it cannot be used; nil where it can. Asked before anything else of it.
  static let trouble = load(name)

  /// Loads it; once, but for names that are not there.
  static func load(_ name: String) -> DLSyncError? {
    guard let reason = dl_curl_load(name) else { return nil }
    return DLSyncError(
      .internal, "libcurl could not be loaded, so nothing can be transferred",
      hint: "install it (Debian: apt-get install libcurl4)", .init(underlying: String(cString: reason)))
  }

  private static let status = dl_curl_global_init(Int(CURL_GLOBAL_SSL) | Int(CURL_GLOBAL_WIN32))

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
