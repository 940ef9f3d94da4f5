internal import DLSyncThreading
internal import Glibc

/// Tells a service manager how the agent is: the protocol of sd_notify(3), one datagram a message, to the socket that
/// `NOTIFY_SOCKET` names. Without it every call does nothing.
struct ServiceNotifier: Sendable {
  private let socketPath: String?
  /// Half of what the manager allows between two signs of life; nil where it wants none.
  let watchdogInterval: Duration?

  init(environment: [String: String]) {
    socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    watchdogInterval = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap {
      isOurs ? .microseconds($0 / 2) : nil
    }
  }

  func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }

  func status(_ status: String) { send("STATUS=\(status)") }

  func alive() { send("WATCHDOG=1") }

  func stopping() { send("STOPPING=1") }

  private func send(_ message: String) {
    guard let socketPath else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(socketPath.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    // A socket in the abstract name space, unix(7).
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + path.count)
    let bytes = Array(message.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
      }
    }
  }
}
