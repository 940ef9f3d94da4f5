import CCurl

/// What libcurl says of itself.
package enum CurlFacts {
  /// Its version and those of the libraries that it uses: `libcurl/7.88.1 OpenSSL/3.0.17 …`.
  package static var version: String { String(cString: curl_version()) }

  /// The file and the folder of certificates that are trusted unless a manifest names others; nil for none.
  package static var trustStore: (file: String?, folder: String?) {
    guard let facts = curl_version_info(CURLVERSION_SEVENTH)?.pointee else { return (nil, nil) }
    return (facts.cainfo.map { String(cString: $0) }, facts.capath.map { String(cString: $0) })
  }
}
