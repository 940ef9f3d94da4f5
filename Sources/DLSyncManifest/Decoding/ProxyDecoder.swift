import DLSyncModel

/// Reads `network.proxy`: `none`, or an http, https or socks5 URL that may hold credentials. It is never quoted.
struct ProxyDecoder {
  let state: DecodingState

  func decode(_ node: NodeRef) -> QueueConfiguration.Network.Proxy? {
    guard let text = state.text(node) else { return nil }
    if text.value == "none" { return QueueConfiguration.Network.Proxy.none }
    if ProxyText.isProxy(text.value) { return .url(text.value) }
    state.report(
      node, "this is not `none` or the URL of a proxy",
      hint:
        "write `http://HOST:PORT`, `https://HOST:PORT` or `socks5://HOST:PORT`, with `USER:PASSWORD@` before the host where it needs one"
    )
    return nil
  }
}
