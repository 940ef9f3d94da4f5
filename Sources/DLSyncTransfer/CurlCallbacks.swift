import CCurl
import Glibc

/// The functions that libcurl calls, all of them inside `curl_multi_perform` or `curl_easy_pause` on the loop's thread.
/// The context is an `Exchange` that its loop keeps alive as long as the handle is in use.
enum CurlCallbacks {
  static let header: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    bytes, size, count, context in
    guard let context else { return 0 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let length = size * count
    return exchange.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
  }

  static let body: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    bytes, size, count, context in
    guard let context else { return 0 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let length = size * count
    switch exchange.receiveBody(UnsafeRawBufferPointer(start: bytes, count: length)) {
    case .taken: return length
    case .pause: return Int(CURL_WRITEFUNC_PAUSE)
    case .stop: return 0
    }
  }

  /// libcurl tells OpenSSL 3 to take a connection that just ends for one that was closed properly, which would make a cut
  /// body without a length look whole. This takes the permission back. The function is looked up among the libraries that
  /// libcurl brought along; libcurl calls this only where its TLS library is OpenSSL or does the check itself.
  static let tlsContext:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CURLcode = {
      _, context, _ in
      if let clear = clearOptions { _ = clear(context, ignoreUnexpectedEnd) }
      return CURLE_OK
    }

  /// SSL_OP_IGNORE_UNEXPECTED_EOF of OpenSSL 3.
  private static let ignoreUnexpectedEnd: UInt64 = 1 << 7

  private typealias ClearOptions = @convention(c) (UnsafeMutableRawPointer?, UInt64) -> UInt64

  private static let clearOptions: ClearOptions? = {
    guard let version = curl_version_info(CURLVERSION_FIRST)?.pointee.ssl_version,
      String(cString: version).hasPrefix("OpenSSL/"), let symbol = dlsym(nil, "SSL_CTX_clear_options")
    else { return nil }
    return unsafeBitCast(symbol, to: ClearOptions.self)
  }()
}
