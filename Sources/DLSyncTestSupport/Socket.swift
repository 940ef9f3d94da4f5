import DLSyncThreading
import Glibc

/// The few socket calls of the origin.
enum Socket {
  enum Family { case ipv4, ipv6 }

  /// A listening socket on the family's loopback address and its port; port 0 takes a free one.
  static func listen(onLoopback family: Family, port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
    let domain = family == .ipv4 ? AF_INET : AF_INET6
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(domain, kind, 0)
    guard descriptor >= 0 else { throw SupportError.system("no socket") }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let status =
      switch family {
      case .ipv4: withAddress(loopback(port)) { bind(descriptor, $0, $1) }
      case .ipv6:
        withAddress(
          sockaddr_in6(
            sin6_family: sa_family_t(AF_INET6), sin6_port: port.bigEndian, sin6_flowinfo: 0,
            sin6_addr: in6addr_loopback, sin6_scope_id: 0)
        ) { bind(descriptor, $0, $1) }
      }
    guard status == 0, Glibc.listen(descriptor, 512) == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      let error = SupportError.system("no listening socket")
      close(descriptor)
      throw error
    }
    return (descriptor, self.port(of: descriptor))
  }

  private static func withAddress<Address>(
    _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
    }
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    // Both families have their port at the same place.
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin6_port)
  }

  /// Whether somebody listens on this port of 127.0.0.1.
  static func canConnect(to port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    return withAddress(loopback(port)) { connect(descriptor, $0, $1) } == 0
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    sockaddr_in(
      sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
      sin_addr: in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// Waits until there is something to accept, or until the listener is shut down.
  static func waitForInput(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, -1)
  }

  /// The next connection, or nil when there is none.
  static func accept(_ listener: Int32) -> Int32? {
    let descriptor = descriptorLock.withLock { _ in
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor >= 0 { closeOnExec(descriptor) }
      return descriptor
    }
    guard descriptor >= 0 else { return nil }
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    return descriptor
  }

  /// Sends everything; false when the connection is gone.
  static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Lets time pass, but not longer than the connection lives; false when it is gone.
  static func pause(_ nanoseconds: Int64, on descriptor: Int32) -> Bool {
    guard nanoseconds > 0 else { return true }
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    let status = poll(&entry, 1, Int32(clamping: (nanoseconds + 999_999) / 1_000_000))
    return status == 0
  }

  /// Reads and drops whatever comes until the other side, or `stop`, ends the connection.
  static func waitForEnd(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
  }

  /// The next close throws away what is queued and sends a reset.
  static func resetOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }
}

extension Duration {
  /// Whole nanoseconds.
  var nanosecondCount: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
