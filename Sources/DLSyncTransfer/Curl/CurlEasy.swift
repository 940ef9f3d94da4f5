import CCurl
import DLSyncModel

/// One easy handle of libcurl, used for many transfers one after another: a new one for each costs a third more. Options
/// that a queue's transfers share are set once; what one request needs is set by `aim`.
///
/// Confined to the thread of the loop that made it.
final class CurlEasy {
  let pointer: UnsafeMutableRawPointer
  private let acknowledger: Acknowledger
  private let errorText: UnsafeMutablePointer<CChar>
  private let plainHeaders: UnsafeMutablePointer<curl_slist>?
  private var ownHeaders: UnsafeMutablePointer<curl_slist>?
  private var settings: TransferSettings?
  private var proxyChoice = ProxyChoice(.some(.none), environment: [:])
  private var proxy: String?
  private var bufferSize = 0
  private var version = Int(CURL_HTTP_VERSION_NONE)
  private var forbidsReuse = false
  private var needsNewConnection = false
  private var isReporting = false

  init?(_ acknowledger: Acknowledger) {
    guard let easy = dl_curl_easy_init() else { return nil }
    pointer = easy
    self.acknowledger = acknowledger
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    plainHeaders = dl_curl_slist_append(nil, "Accept-Encoding: identity")
  }

  deinit {
    dl_curl_easy_cleanup(pointer)
    dl_curl_slist_free_all(plainHeaders)
    dl_curl_slist_free_all(ownHeaders)
    errorText.deallocate()
  }

  /// libcurl's text about the last error, or nothing.
  var lastErrorText: String { String(cString: errorText) }

  /// The proxy that the present request goes through, as it may be shown.
  var shownProxy: String? { proxy.map(ProxyChoice.shown) }

  /// Whether the present request goes through a proxy that speaks HTTP.
  var asksHTTPProxy: Bool { proxy.map { !$0.lowercased().hasPrefix("socks") } ?? false }

  /// Whether the present request went over a connection that had served before.
  var usedOldConnection: Bool { dl_curl_long(pointer, CURLINFO_NUM_CONNECTS) == 0 }

  /// Whether the present request, if it is for a URL of TLS, had a tunnel made for it: a new connection to a proxy that
  /// speaks HTTP. On one that was there the tunnel was, too.
  var askedForTunnel: Bool { asksHTTPProxy && !usedOldConnection }

  /// How a paced transfer should take its bytes.
  struct Pace {
    /// Bytes a second of the strictest limit, nil where none is set right now.
    let rate: Double?

    /// What libcurl hands over at once: a fortieth of a second's worth, because a piece is paid for only after it came.
    var pieceSize: Int {
      guard let rate else { return 16 * 1024 }
      return Int(min(max(rate / 40, 1024), 64 * 1024))
    }
  }

  /// Makes the handle ready for one request of a queue's transfers. `context` comes back in every callback; `lines` are
  /// the request's own fields, nil for none.
  func aim(
    _ url: SourceURL, settings: TransferSettings, lines: [String]?, pace: Pace?, needsOwnConnection: Bool,
    needsNewConnection: Bool = false, bufferSize: Int, context: UnsafeMutableRawPointer
  ) {
    if self.settings !== settings { configure(settings) }
    errorText[0] = 0
    _ = url.text.withCString { dl_curl_set_text(pointer, CURLOPT_URL, $0) }
    setPointer(CURLOPT_PRIVATE, context)
    setPointer(CURLOPT_WRITEDATA, context)
    setPointer(CURLOPT_HEADERDATA, context)
    setPointer(CURLOPT_DEBUGDATA, context)
    setPointer(CURLOPT_PREREQDATA, context)
    setReporting(url.scheme == "https" && CurlCallbacks.reportsProperClose)
    setHeaders(lines)
    setProxy(proxyChoice.isNever ? nil : proxyChoice.proxy(for: url))
    // A paused stream holds up its whole HTTP/2 connection, so paced transfers have connections of their own. They also
    // hold little in memory while they are paused.
    let isAlone = pace != nil || needsOwnConnection
    setVersion(isAlone || url.scheme == "http" ? Int(CURL_HTTP_VERSION_1_1) : Int(CURL_HTTP_VERSION_2TLS))
    setBufferSize(pace?.pieceSize ?? bufferSize)
    if forbidsReuse {
      forbidsReuse = false
      setLong(CURLOPT_FORBID_REUSE, 0)
    }
    if needsNewConnection != self.needsNewConnection {
      self.needsNewConnection = needsNewConnection
      setLong(CURLOPT_FRESH_CONNECT, needsNewConnection ? 1 : 0)
    }
  }

  /// The request is over: nothing may call back to what it was for.
  func rest() {
    if isReporting { setPointer(CURLOPT_DEBUGDATA, nil) }
  }

  /// The connection is closed after this request.
  func forbidReuse() {
    forbidsReuse = true
    setLong(CURLOPT_FORBID_REUSE, 1)
  }

  // MARK: What a request needs

  private func setHeaders(_ lines: [String]?) {
    guard let lines else {
      if ownHeaders != nil {
        _ = dl_curl_set_list(pointer, CURLOPT_HTTPHEADER, plainHeaders)
        dl_curl_slist_free_all(ownHeaders)
        ownHeaders = nil
      }
      return
    }
    var list = dl_curl_slist_append(nil, "Accept-Encoding: identity")
    for line in lines { list = dl_curl_slist_append(list, line) ?? list }
    _ = dl_curl_set_list(pointer, CURLOPT_HTTPHEADER, list)
    dl_curl_slist_free_all(ownHeaders)
    ownHeaders = list
  }

  private func setProxy(_ new: String?) {
    guard new != proxy else { return }
    proxy = new
    // An empty text and not NULL: NULL would let libcurl look into the environment itself.
    setText(CURLOPT_PROXY, new ?? "")
  }

  private func setReporting(_ new: Bool) {
    guard new != isReporting else { return }
    isReporting = new
    setLong(CURLOPT_VERBOSE, new ? 1 : 0)
  }

  private func setVersion(_ new: Int) {
    guard new != version else { return }
    version = new
    setLong(CURLOPT_HTTP_VERSION, new)
  }

  private func setBufferSize(_ new: Int) {
    guard new != bufferSize else { return }
    bufferSize = new
    setLong(CURLOPT_BUFFERSIZE, new)
  }

  // MARK: What a queue's transfers share

  private func configure(_ settings: TransferSettings) {
    dl_curl_easy_reset(pointer)
    self.settings = settings
    proxyChoice = ProxyChoice(settings.network.proxy, environment: settings.environment)
    proxy = nil
    bufferSize = 0
    version = Int(CURL_HTTP_VERSION_NONE)
    forbidsReuse = false
    needsNewConnection = false
    isReporting = false
    dl_curl_slist_free_all(ownHeaders)
    ownHeaders = nil
    setPointer(CURLOPT_ERRORBUFFER, errorText)
    _ = dl_curl_set_data(pointer, CURLOPT_WRITEFUNCTION, CurlCallbacks.body)
    _ = dl_curl_set_data(pointer, CURLOPT_HEADERFUNCTION, CurlCallbacks.header)
    _ = dl_curl_set_report(pointer, CURLOPT_DEBUGFUNCTION, CurlCallbacks.report)
    _ = dl_curl_set_before(pointer, CURLOPT_PREREQFUNCTION, CurlCallbacks.before)
    _ = dl_curl_set_opened(pointer, CURLOPT_SOCKOPTFUNCTION, CurlCallbacks.opened)
    setPointer(CURLOPT_SOCKOPTDATA, Unmanaged.passUnretained(acknowledger).toOpaque())
    _ = dl_curl_set_list(pointer, CURLOPT_HTTPHEADER, plainHeaders)
    setLong(CURLOPT_NOSIGNAL, 1)
    setLong(CURLOPT_NOPROGRESS, 1)
    setLong(CURLOPT_FOLLOWLOCATION, 0)
    setLong(CURLOPT_HTTP09_ALLOWED, 0)
    setLong(CURLOPT_PATH_AS_IS, 1)
    setLong(CURLOPT_PIPEWAIT, 1)
    setLong(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    setLong(CURLOPT_TCP_KEEPALIVE, 1)
    // A cancelled transfer must not wait for the name look-up that it began.
    setLong(CURLOPT_QUICK_EXIT, 1)
    setText(CURLOPT_PROTOCOLS_STR, "http,https")
    setText(CURLOPT_USERAGENT, settings.userAgent)
    setText(CURLOPT_PROXY, "")
    setText(CURLOPT_NOPROXY, "")
    setLong(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(clamping: settings.timeouts.connect.inNanoseconds / 1_000_000)))
    configureNetwork(settings.network)
    configureTLS(settings.tls)
  }

  private func configureNetwork(_ network: QueueConfiguration.Network) {
    if let interface = network.interface { setText(CURLOPT_INTERFACE, "if!" + interface) }
    switch network.ipVersion {
    case .v4: setLong(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .v6: setLong(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    case nil: break
    }
  }

  private func configureTLS(_ tls: QueueConfiguration.TLS) {
    setLong(CURLOPT_SSL_VERIFYPEER, 1)
    setLong(CURLOPT_SSL_VERIFYHOST, 2)
    switch tls.minVersion {
    case .v1_2: setLong(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    case .v1_3: setLong(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
    }
    if let file = tls.caFile {
      // Instead of the system's certificates: the folder that libcurl was built with must go as well.
      setText(CURLOPT_CAINFO, file)
      setPointer(CURLOPT_CAPATH, nil)
      setText(CURLOPT_PROXY_CAINFO, file)
      setPointer(CURLOPT_PROXY_CAPATH, nil)
    }
    if let file = tls.clientCertificate { setText(CURLOPT_SSLCERT, file) }
    if let file = tls.clientKey { setText(CURLOPT_SSLKEY, file) }
  }

  private func setLong(_ option: CURLoption, _ value: Int) { _ = dl_curl_set_long(pointer, option, value) }
  private func setText(_ option: CURLoption, _ value: String) { _ = dl_curl_set_text(pointer, option, value) }
  private func setPointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    _ = dl_curl_set_pointer(pointer, option, value)
  }
}
