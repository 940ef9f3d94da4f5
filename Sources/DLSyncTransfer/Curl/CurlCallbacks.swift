import CCurl

/// The functions that libcurl calls, all of them inside `curl_multi_perform` or `curl_easy_pause` on the loop's thread.
/// The context is an `Exchange`, if nothing else is said, that its loop keeps alive as long as the handle is in use.
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

  /// A request is about to be sent, from this local port.
  static let before:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int32, Int32
    ) -> Int32 = { context, _, _, _, port in
      guard let context else { return CURL_PREREQFUNC_OK }
      let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
      return exchange.maySend(fromPort: Int(port)) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

  /// A socket was opened, of which the context, an `Acknowledger`, is to know.
  static let opened: @convention(c) (UnsafeMutableRawPointer?, curl_socket_t, curlsocktype) -> Int32 = {
    context, socket, _ in
    guard let context else { return CURL_SOCKOPT_OK }
    Unmanaged<Acknowledger>.fromOpaque(context).takeUnretainedValue().note(socket)
    return CURL_SOCKOPT_OK
  }

  /// libcurl's report of what it does, of which one line matters: the peer closed its TLS connection properly. Older
  /// versions take a connection that just ends for one that was closed so, and a body without a length would look whole
  /// wherever it was cut.
  static let report:
    @convention(c) (
      UnsafeMutableRawPointer?, curl_infotype, UnsafeMutablePointer<CChar>?, Int, UnsafeMutableRawPointer?
    )
      -> Int32 = { _, kind, text, length, context in
        guard kind == CURLINFO_TEXT, let context, let text, length > closeNotify.count else { return 0 }
        let line = UnsafeRawBufferPointer(start: text, count: length)
        if line.starts(with: tlsPrefix), contains(line, closeNotify) {
          Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().sawProperClose = true
        }
        return 0
      }

  /// Whether libcurl's TLS library is the one whose proper close is reported; others refuse a connection that just ends.
  static let reportsProperClose: Bool = {
    guard let version = dl_curl_version_info(CURLVERSION_FIRST)?.pointee.ssl_version else { return false }
    return String(cString: version).hasPrefix("OpenSSL/")
  }()

  private static let tlsPrefix = Array("TLS".utf8)
  private static let closeNotify = Array("(IN), TLS alert, close notify".utf8)

  private static func contains(_ text: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
    (0...(text.count - needle.count)).contains { text[$0...].starts(with: needle) }
  }
}
