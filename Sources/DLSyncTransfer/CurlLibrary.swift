import CCurl

/// libcurl's own set-up, once a process and only when a transfer is about to be made: it costs about a millisecond.
enum CurlLibrary {
  private static let status = curl_global_init(Int(CURL_GLOBAL_SSL) | Int(CURL_GLOBAL_WIN32))

  static func begin() { precondition(status == CURLE_OK, "libcurl could not be set up") }
}
