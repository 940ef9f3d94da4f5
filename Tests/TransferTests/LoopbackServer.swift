import DLSyncThreading
import Glibc

/// A raw server on loopback that sends exactly the bytes that a test scripts, and remembers every request.
final class LoopbackServer: Sendable {
  struct Request: Sendable {
    /// The request line's target.
    let target: String
    /// The whole head.
    let head: String
    /// Which connection it came on, counted from 0.
    let connection: Int

    /// The value of a field, names without case.
    func value(_ name: String) -> String? {
      for line in head.split(separator: "\r\n") {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else { continue }
        return String(line[line.index(after: colon)...].drop { $0 == " " })
      }
      return nil
    }
  }

  enum Step: Sendable {
    case send([UInt8])
    case wait(milliseconds: Int)
    /// Says nothing until the client goes away.
    case hold
    case close
    case reset

    static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
  }

  typealias Answer = @Sendable (Request) -> [Step]

  private struct State {
    var requests: [Request] = []
    var connections = 0
  }

  let port: Int
  private let listener: Int32
  private let answer: Answer
  private let state = Locked(State())

  init(_ answer: @escaping Answer) {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    precondition(bound, "no port on loopback")
    port = Int(UInt16(bigEndian: address.sin_port))
    startThread { [self] in acceptAll() }
  }

  var base: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { state.withLock { $0.requests } }
  var connectionCount: Int { state.withLock { $0.connections } }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      let number = state.withLock { state -> Int in
        state.connections += 1
        return state.connections - 1
      }
      startThread { [self] in serve(connection, number) }
    }
    close(listener)
  }

  private func serve(_ connection: Int32, _ number: Int) {
    defer { close(connection) }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var pending: [UInt8] = []
    while let head = readHead(connection, &pending) {
      let words = head.prefix { $0 != "\r\n" }.split(separator: " ")
      let request = Request(target: words.count > 1 ? String(words[1]) : "", head: head, connection: number)
      state.withLock { $0.requests.append(request) }
      for step in answer(request) where !perform(step, connection) { return }
    }
  }

  private func readHead(_ connection: Int32, _ pending: inout [UInt8]) -> String? {
    while true {
      if let end = firstBlankLine(pending) {
        defer { pending.removeFirst(end + 4) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      pending += buffer[..<count]
    }
  }

  private func firstBlankLine(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...bytes.count - 4).first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
  }

  /// False when the connection is over.
  private func perform(_ step: Step, _ connection: Int32) -> Bool {
    switch step {
    case .send(let bytes):
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.send(connection, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    case .wait(let milliseconds):
      usleep(UInt32(milliseconds) * 1000)
      return true
    case .hold:
      var byte: UInt8 = 0
      _ = recv(connection, &byte, 1, 0)
      return false
    case .close: return false
    case .reset:
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      return false
    }
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
  var thread = pthread_t()
  let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
  let status = pthread_create(
    &thread, nil,
    { context in
      Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().run()
      return nil
    }, context)
  precondition(status == 0)
  pthread_detach(thread)
}
