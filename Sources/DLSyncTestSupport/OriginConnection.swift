import DLSyncThreading
import Glibc

/// One connection of the origin: reads requests one after another and plays the script of each.
final class OriginConnection {
  private let core: OriginCore
  private let descriptor: Int32
  private let number: Int
  private var buffer: [UInt8] = []

  init(core: OriginCore, descriptor: Int32, number: Int) {
    self.core = core
    self.descriptor = descriptor
    self.number = number
  }

  func run() {
    var ending = Script.Ending.keepAlive
    while case .keepAlive = ending, let head = readHead(), let parsed = parse(head) {
      let (request, script) = core.begin(
        method: parsed.method, target: parsed.target, version: parsed.version, headers: parsed.headers,
        connection: number)
      ending = play(script, for: request)
      if case .silence = ending { Socket.waitForEnd(descriptor) }
      // Ended before the request stops counting as live: who sees no live request may rely on the connection's end.
      if case .reset = ending { core.finish(descriptor, reset: true) }
      if case .finish = ending { core.finish(descriptor, reset: false) }
      core.end()
      if request.header("Connection")?.lowercased() == "close" { break }
    }
    core.finish(descriptor, reset: false)
  }

  // MARK: Requests

  private func readHead() -> ArraySlice<UInt8>? {
    let mark: [UInt8] = [13, 10, 13, 10]
    var chunk = [UInt8](repeating: 0, count: 16384)
    while true {
      if let end = buffer.firstRange(of: mark) {
        let head = buffer[..<end.lowerBound]
        buffer.removeFirst(end.upperBound)
        return head
      }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffer.append(contentsOf: chunk[..<count])
    }
  }

  private typealias Head = (
    method: String, target: String, version: String, headers: [(name: String, value: String)]
  )

  private func parse(_ head: ArraySlice<UInt8>) -> Head? {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return (String(line[..<colon]), String(value))
    }
    return (String(words[0]), String(words[1]), String(words[2]), headers)
  }

  // MARK: Answers

  /// Sends what the script says and returns how the connection goes on.
  private func play(_ script: Script, for request: RecordedRequest) -> Script.Ending {
    guard Socket.pause(script.delay.nanosecondCount, on: descriptor) else { return .finish }
    if let raw = script.rawAnswer { return send(raw) ? script.ending : .finish }
    let answer = OriginAnswer(script, request)
    guard send(script.prologue + answer.head) else { return .finish }
    var ending = script.ending
    if case .untilClose = script.framing, case .keepAlive = ending { ending = .finish }
    guard request.method != "HEAD", !answer.body.isEmpty || answer.isChunked else { return ending }
    let limit = min(script.bodyLimit ?? .max, answer.body.count)
    let isWhole = limit == answer.body.count
    guard sendBody(answer.body.prefix(limit), chunked: answer.isChunked, pace: script.bytesPerSecond) else {
      return .finish
    }
    if answer.isChunked, isWhole, script.bodyLimit == nil, !send(Array("0\r\n\r\n".utf8)) { return .finish }
    return ending
  }

  private func sendBody(_ body: ArraySlice<UInt8>, chunked: Bool, pace: Int?) -> Bool {
    let start = MonotonicInstant.now
    // A paced body goes out in about a hundred pieces a second.
    let step = pace.map { max(1, min(65536, $0 / 100)) } ?? 65536
    var sent = 0
    while sent < body.count {
      let piece = body.dropFirst(sent).prefix(step)
      if chunked, !send(Array((String(piece.count, radix: 16) + "\r\n").utf8)) { return false }
      guard piece.withUnsafeBytes({ Socket.send($0, to: descriptor) }) else { return false }
      if chunked, !send([13, 10]) { return false }
      core.bodyBytes.add(Int64(piece.count))
      sent += piece.count
      if let pace, sent < body.count {
        let due = start.advanced(by: Int64(Double(sent) / Double(pace) * 1e9))
        guard Socket.pause(due.nanoseconds - MonotonicInstant.now.nanoseconds, on: descriptor) else { return false }
      }
    }
    return true
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { Socket.send($0, to: descriptor) }
  }
}
