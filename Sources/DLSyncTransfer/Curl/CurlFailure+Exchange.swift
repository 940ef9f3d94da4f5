import CCurl
import DLSyncModel

extension CurlFailure {
  /// Why a transfer's present request failed, for libcurl with this code.
  init(_ code: CURLcode, of exchange: Exchange) {
    let easy = exchange.easy
    self.init(
      code: code == CURLE_OK ? CURLE_GOT_NOTHING : code, text: easy?.lastErrorText ?? "", url: exchange.target,
      connectError: easy.map { Int32(truncatingIfNeeded: dl_curl_long($0.pointer, CURLINFO_OS_ERRNO)) } ?? 0,
      proxy: easy?.shownProxy,
      askedForTunnel: exchange.target.scheme == "https" && easy?.askedForTunnel == true,
      connectStatus: easy.map { dl_curl_long($0.pointer, CURLINFO_HTTP_CONNECTCODE) } ?? 0,
      progress: exchange.body.map { ($0.received, $0.expected) })
  }
}
