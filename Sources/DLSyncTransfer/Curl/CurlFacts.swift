import CCurl
package import DLSyncModel

/// What libcurl says of itself.
package enum CurlFacts {
  /// Why there is none; nil where there is one.
  package static var trouble: DLSyncError? {
    guard case .failure(let trouble) = CurlLibrary.loaded else { return nil }
    return trouble
  }

  /// Its version and those of the libraries that it uses: `libcurl/7.88.1 OpenSSL/3.0.17 …`; nil where it is not there.
  package static var version: String? { trouble == nil ? String(cString: dl_curl_version()) : nil }

  /// The file and the folder of certificates that are trusted unless a manifest names others; nil for none.
  package static var trustStore: (file: String?, folder: String?) {
    guard trouble == nil, let facts = dl_curl_version_info(CURLVERSION_SEVENTH)?.pointee else { return (nil, nil) }
    return (facts.cainfo.map { String(cString: $0) }, facts.capath.map { String(cString: $0) })
  }
}
