import CCurl
import DLSyncModel
import Testing

@testable import DLSyncTransfer

/// What libcurl says of a failure, in the words of libcurl 7.88 with OpenSSL 3.0.
@Suite struct CurlFailureTests {
  @Test(arguments: [
    ("OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0", true),
    ("OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000412:SSL routines::sslv3 alert bad certificate, errno 0", true),
    ("OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000418:SSL routines::tlsv1 alert unknown ca, errno 0", true),
    ("OpenSSL SSL_read: OpenSSL/3.0.19: error:0A0003FC:SSL routines::sslv3 alert bad record mac, errno 0", false),
    ("OpenSSL SSL_read: Connection reset by peer, errno 104", false), ("", false),
  ])
  func anAlertAboutOurCertificateIsNoLostConnection(text: String, isRefusal: Bool) throws {
    let url = try SourceURL("https://h/a")
    func error(_ progress: (received: Int64, expected: Int64?)?) -> DLSyncError {
      CurlFailure(
        code: CURLE_RECV_ERROR, text: text, url: url, connectError: 0, proxy: nil, askedForTunnel: false,
        connectStatus: 0, progress: progress
      ).error
    }
    let early = error(nil)
    #expect(early.code == (isRefusal ? .tlsFailed : .connectionLost) && early.isRetryable != isRefusal, "\(early)")
    #expect(early.hint?.contains("tls.clientCertificate") == isRefusal, "\(early)")
    #expect(error((1, 2)).code == .connectionLost)
  }

  @Test(arguments: ["tlsv1 alert protocol version", "unsupported protocol"])
  func aTLSVersionThatIsNotSharedIsNamed(text: String) throws {
    let error = CurlFailure(
      code: CURLE_SSL_CONNECT_ERROR, text: "OpenSSL/3.0.19: error:0A000102:SSL routines::\(text)",
      url: try SourceURL("https://h/a"), connectError: 0, proxy: nil, askedForTunnel: false, connectStatus: 0,
      progress: nil
    ).error
    #expect(error.code == .tlsFailed && error.hint?.contains("tls.minVersion") == true, "\(error)")
  }
}
