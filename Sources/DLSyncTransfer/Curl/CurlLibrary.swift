import CCurl
import DLSyncModel
import Glibc

/// libcurl, loaded and set up. Its functions are a table that is empty before, so whatever begins to use it asks for one of
/// these: nobody can have one that was not loaded. Once a process, and only when it is needed: that takes as long as all
/// else at the start.
struct CurlLibrary: Sendable {
  /// The name under which every distribution has the library that programs are linked with.
  static let name = "libcurl.so.4"

  /// The one of this process, or why there is none.
  static let loaded = Result { () throws(DLSyncError) in try CurlLibrary(name) }

  /// Loads it; once, but for names that are not there.
  init(_ name: String) throws(DLSyncError) {
    if let reason = dl_curl_load(name) {
      throw DLSyncError(
        .internal, "libcurl could not be loaded, so nothing can be transferred",
        hint: "install it (Debian: apt-get install libcurl4)", .init(underlying: String(cString: reason)))
    }
    let facts = dl_curl_version_info(CURLVERSION_FIRST)?.pointee
    if let trouble = Self.refusal(of: facts?.version_num ?? 0, facts?.version.map { String(cString: $0) }) {
      throw trouble
    }
    guard dl_curl_global_init(Int(CURL_GLOBAL_SSL) | Int(CURL_GLOBAL_WIN32)) == CURLE_OK else {
      throw DLSyncError(.internal, "libcurl could not be set up, so nothing can be transferred")
    }
  }

  /// Why a library of this version (libcurl's `LIBCURL_VERSION_NUM`) will not do; nil where it will. All have one name, and one
  /// that is older than the headers would leave out options without a word, among them those that guard redirects.
  static func refusal(of number: UInt32, _ version: String?) -> DLSyncError? {
    guard number < UInt32(DL_CURL_OLDEST) else { return nil }
    return DLSyncError(
      .internal,
      "libcurl 7.87 or newer is needed, and the one that was loaded is \(version ?? "older"), so nothing can be transferred",
      hint: "install a newer one, and look at LD_LIBRARY_PATH where there are several")
  }

  /// One for all threads, kept for the process's life; a number because a pointer could not be shared.
  private static let localeAddress = UInt(bitPattern: newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))

  /// libcurl converts international host names from the locale's encoding. Ours are UTF-8 whatever the user's locale is,
  /// so the calling thread, and it alone, gets one that says so.
  static func prepareThread() {
    guard let locale = locale_t(bitPattern: localeAddress) else { return }
    _ = uselocale(locale)
  }
}
