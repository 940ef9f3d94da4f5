import CCurl
import Glibc

/// Tells servers at once that their bytes came, where they may wait for that.
///
/// A server with Nagle's algorithm (RFC 1122, section 4.2.3.4) holds back what does not fill a packet until all before it is
/// acknowledged, and the system acknowledges up to 40 ms late (section 4.2.3.2): the body of a small file after its head,
/// and the end of every body, would come that much later. So whoever still waits when all that is there was read has the
/// acknowledgement sent. Confined to the transfer thread.
final class Acknowledger {
  /// No packet is longer: a rest that is shorter may be held back.
  static let longestPacket: Int64 = 64 * 1024

  private var waiting: [Exchange] = []
  /// Sockets that were opened; some may be closed by now.
  private var sockets: Set<Int32> = []
  /// The same by local port: libcurl tells no more of a transfer that is under way.
  private var socketsByPort: [Int: Int32] = [:]

  /// libcurl opened a socket.
  func note(_ socket: Int32) { sockets.insert(socket) }

  /// The next bytes of a transfer may be held back.
  func expect(_ exchange: Exchange) {
    if waiting.last !== exchange { waiting.append(exchange) }
  }

  /// All that is there was read: acknowledges it for those who still wait.
  func acknowledge() {
    guard !waiting.isEmpty else { return }
    for exchange in waiting {
      guard let easy = exchange.easy?.pointer, !exchange.isPaused, !exchange.hasAll else { continue }
      // Servers of HTTP/2 cannot do with Nagle's algorithm.
      guard dl_curl_long(easy, CURLINFO_HTTP_VERSION) < Int(CURL_HTTP_VERSION_2_0) else { continue }
      acknowledge(port: dl_curl_long(easy, CURLINFO_LOCAL_PORT))
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func acknowledge(port: Int) {
    if let known = socketsByPort[port], Self.acknowledge(known) { return }
    lookAtPorts()
    if let socket = socketsByPort[port] { Self.acknowledge(socket) }
  }

  private func lookAtPorts() {
    socketsByPort = [:]
    for socket in sockets {
      if let port = Self.port(of: socket) { socketsByPort[port] = socket } else { sockets.remove(socket) }
    }
  }

  /// Whether bytes, or the end, came over the connection of a local port and were not read.
  func hasUnreadBytes(port: Int) -> Bool {
    if socketsByPort[port].flatMap(Self.port) != port { lookAtPorts() }
    guard let socket = socketsByPort[port] else { return false }
    var look = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&look, 1, 0) > 0
  }

  /// False where it is no socket of that kind any more. Of another connection it does no harm.
  @discardableResult
  private static func acknowledge(_ socket: Int32) -> Bool {
    var yes: Int32 = 1
    return setsockopt(socket, Int32(IPPROTO_TCP), TCP_QUICKACK, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  private static func port(of socket: Int32) -> Int? {
    // The port has the same place in the addresses of both families.
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard status == 0, [AF_INET, AF_INET6].contains(Int32(address.sin6_family)) else { return nil }
    return Int(UInt16(bigEndian: address.sin6_port))
  }
}

extension Exchange {
  /// Whether no byte of the present answer is missing, as far as that was told.
  fileprivate var hasAll: Bool {
    phase != .asking && phase != .draining && body?.isWhole ?? true
  }
}
