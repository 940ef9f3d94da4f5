import CCurl
import DLSyncModel
import DLSyncSystem
import Glibc

/// What libcurl says of a transfer that failed, put into our own words.
struct CurlFailure {
  let code: CURLcode
  /// libcurl's own text, possibly empty.
  let text: String
  let url: SourceURL
  /// What the system said of the last connection that it could not make (errno), or zero.
  let connectError: Int32
  /// The proxy as it may be shown, if one was used.
  let proxy: String?
  /// Whether the proxy was asked for a tunnel (CONNECT).
  let askedForTunnel: Bool
  /// The proxy's answer to that, or zero.
  let connectStatus: Int
  /// Bytes of the body that came, and how many should have; nil before the body.
  let progress: (received: Int64, expected: Int64?)?

  var error: DLSyncError {
    if let proxy, let failure = proxyError(proxy) { return failure }
    // Newer versions have a code of its own for what is too large (CURLE_TOO_LARGE, 8.6).
    if code.rawValue == 100 || text.contains("Too large response headers") {
      return make(.protocolError, "the header of the answer of \"\(url.host)\" is too large", hint: Self.protocolHint)
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      return make(
        .nameResolutionFailed, "the name \"\(url.host)\" has no address", hint: "check the spelling and the network")
    case CURLE_COULDNT_CONNECT:
      return make(
        .connectFailed, "no connection to \"\(url.host)\", port \(url.port)\(connectReason)", hint: connectHint)
    case CURLE_OPERATION_TIMEDOUT:
      return make(
        .timedOut, "no connection to \"\(url.host)\", port \(url.port), within the time for connecting",
        hint: "check the network, or raise timeouts.connect")
    case CURLE_INTERFACE_FAILED:
      return make(.connectFailed, "the network interface cannot be used", hint: "check network.interface")
    case CURLE_GOT_NOTHING:
      return make(.connectionLost, "\"\(url.host)\" closed the connection without an answer", hint: Self.againHint)
    // With TLS 1.3 a server looks at the client's certificate when the handshake is over for the client.
    case _ where progress == nil && Self.refusesCertificate(text):
      return make(
        .tlsFailed, "\"\(url.host)\" does not take the client certificate, or wants one\(Self.reason(text))",
        hint: Self.clientHint)
    case CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3:
      return lost
    // Chunks that cannot be understood are, for some versions, a wrong call.
    case CURLE_BAD_FUNCTION_ARGUMENT where text.contains("chunk"): return lost
    case CURLE_SSL_CONNECT_ERROR where Self.isBrokenConnection(text):
      return make(
        .connectionLost, "the connection to \"\(url.host)\" was lost in the TLS handshake", hint: Self.againHint)
    case _ where Self.tlsCodes.contains(code.rawValue):
      return make(.tlsFailed, "no trustworthy connection to \"\(url.host)\"\(Self.reason(text))", hint: tlsHint)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_OUT_OF_MEMORY,
      CURLE_HTTP_RETURNED_ERROR, CURLE_TOO_MANY_REDIRECTS, CURLE_FILESIZE_EXCEEDED:
      return make(.protocolError, "the answer of \"\(url.host)\" is not valid HTTP", hint: Self.protocolHint)
    case CURLE_URL_MALFORMAT:
      return make(.protocolError, "libcurl takes it for no valid URL", hint: "check the spelling of the url")
    default:
      return make(.internal, "libcurl reports error \(code.rawValue)\(Self.reason(text))")
    }
  }

  /// The whole of libcurl's loop, or a handle in it, cannot be used.
  static func refusal(_ code: CURLMcode) -> DLSyncError {
    DLSyncError(.internal, "libcurl does not go on (its code for that is \(code.rawValue))", hint: againHint)
  }

  /// The body's end is missing: says how much of how much there is.
  static func lost(_ url: SourceURL, received: Int64, expected: Int64?, underlying: String?) -> DLSyncError {
    let amount =
      expected.map { "\(received) of \($0) bytes came" } ?? "\(received) bytes came, and no mark of the end of the body"
    return DLSyncError(
      .connectionLost, "the connection to \"\(url.host)\" was lost: \(amount) (\"\(url.shown)\")",
      hint: againHint, .init(underlying: underlying))
  }

  private var lost: DLSyncError {
    if text.contains("chunk") {
      return make(.protocolError, "the chunked framing of the body is broken", hint: Self.againHint)
    }
    guard let progress else {
      return make(.connectionLost, "the connection to \"\(url.host)\" was lost before the answer", hint: Self.againHint)
    }
    return Self.lost(url, received: progress.received, expected: progress.expected, underlying: underlying)
  }

  /// The proxy's own trouble, or nil where it lies behind the proxy.
  private func proxyError(_ proxy: String) -> DLSyncError? {
    if connectStatus >= 300 {
      return make(
        .proxyFailed, "the proxy \(proxy) answered \(HTTPStatusText.text(connectStatus)) to CONNECT",
        hint: connectStatus == 407 ? "check the user name and password of the proxy" : Self.proxyHint)
    }
    // Whatever breaks before there is a tunnel, the proxy broke it (RFC 9110, section 9.3.6).
    let isBroken = connectStatus < 200 || text.contains("CONNECT response")
    if askedForTunnel, isBroken, Self.brokenAnswers.contains(code.rawValue) {
      return make(.proxyFailed, "the proxy \(proxy) gave no valid answer to CONNECT", hint: Self.proxyHint)
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY:
      return make(.proxyFailed, "the name of the proxy \(proxy) has no address", hint: Self.proxyHint)
    case CURLE_COULDNT_CONNECT:
      return make(.proxyFailed, "no connection to the proxy \(proxy)\(connectReason)", hint: Self.proxyHint)
    case CURLE_PROXY: return make(.proxyFailed, "the proxy \(proxy) refused", hint: Self.proxyHint)
    case CURLE_OPERATION_TIMEDOUT:
      return make(
        .timedOut, "no connection to \"\(url.host)\" through the proxy \(proxy) within the time for connecting",
        hint: Self.proxyHint)
    default: return nil
    }
  }

  private func make(_ code: ErrorCode, _ why: String, hint: String? = nil, isRetryable: Bool? = nil) -> DLSyncError {
    DLSyncError(
      code, "\"\(url.shown)\" could not be fetched: \(why)", hint: hint,
      .init(isRetryable: isRetryable, underlying: underlying))
  }

  /// Some of libcurl's texts quote the proxy's URL, password included: nothing that could hold one goes on.
  private var underlying: String? { text.isEmpty || text.contains("@") || text.contains("proxy syntax") ? nil : text }

  private static let againHint = "run again: confirmed bytes are kept"
  private static let clientHint = "check tls.clientCertificate and tls.clientKey"
  private static let protocolHint = "check that the url leads to a server that speaks HTTP"
  private static let proxyHint = "check network.proxy, or http_proxy, https_proxy and all_proxy in the environment"

  private var tlsHint: String? {
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION where text.contains("expired") || text.contains("not yet valid"):
      "check the clock of this machine; if it is right, the server needs another certificate"
    case CURLE_PEER_FAILED_VERIFICATION where text.contains("subject name"):
      "the certificate is one of another host: check the url"
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
      "if you trust who signed the server's certificate, name that authority's certificate in tls.caFile"
    case CURLE_SSL_CACERT_BADFILE: "check tls.caFile"
    case CURLE_SSL_CERTPROBLEM: Self.clientHint
    case _ where text.contains("protocol version") || text.contains("unsupported protocol"):
      "the server has no TLS version that tls.minVersion allows"
    default: "check that port \(url.port) of the server speaks TLS, and what stands between it and this machine"
    }
  }

  /// `: connection refused`.
  private var connectReason: String { connectError == 0 ? "" : ": " + SystemTrouble(connectError).text }

  private var connectHint: String {
    if SystemTrouble(connectError).isTooManyFiles { return SystemTrouble.tooManyFilesHint }
    return connectError == 0 || connectError == ECONNREFUSED
      ? "check that the server runs, and the port" : "check the network, and what a firewall forbids"
  }

  private static let tlsCodes: Set<UInt32> = [
    CURLE_SSL_CONNECT_ERROR.rawValue, CURLE_PEER_FAILED_VERIFICATION.rawValue, CURLE_SSL_CERTPROBLEM.rawValue,
    CURLE_SSL_CIPHER.rawValue, CURLE_SSL_CACERT_BADFILE.rawValue, CURLE_SSL_ENGINE_NOTFOUND.rawValue,
    CURLE_SSL_ENGINE_SETFAILED.rawValue, CURLE_SSL_ENGINE_INITFAILED.rawValue, CURLE_SSL_SHUTDOWN_FAILED.rawValue,
    CURLE_SSL_CRL_BADFILE.rawValue, CURLE_SSL_ISSUER_ERROR.rawValue, CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue,
    CURLE_SSL_INVALIDCERTSTATUS.rawValue, CURLE_SSL_CLIENTCERT.rawValue, CURLE_USE_SSL_FAILED.rawValue,
  ]

  private static let brokenAnswers: Set<UInt32> = [
    CURLE_RECV_ERROR.rawValue, CURLE_SEND_ERROR.rawValue, CURLE_GOT_NOTHING.rawValue, CURLE_PARTIAL_FILE.rawValue,
    CURLE_WEIRD_SERVER_REPLY.rawValue, CURLE_UNSUPPORTED_PROTOCOL.rawValue, CURLE_HTTP_RETURNED_ERROR.rawValue,
    CURLE_OUT_OF_MEMORY.rawValue, 100,
  ]

  /// A handshake that the network broke, not the peer's or our own judgement.
  private static func isBrokenConnection(_ text: String) -> Bool {
    text.contains("SYSCALL") || text.contains("reset") || text.contains("unexpected eof")
      || text.contains("Broken pipe")
  }

  /// An alert of the server about our certificate (RFC 8446, section 6.2), in OpenSSL's words.
  static func refusesCertificate(_ text: String) -> Bool {
    guard text.contains("SSL routines:"), text.contains(" alert ") else { return false }
    return ["certificate", "unknown ca", "access denied"].contains { text.contains($0) }
  }

  private static func reason(_ text: String) -> String { text.isEmpty || text.contains("@") ? "" : " (\(text))" }
}
