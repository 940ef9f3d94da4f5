import DLSyncSystem
import DLSyncThreading
import Glibc
import Synchronization

/// One of the process's two output streams: buffered, and honest about bytes that could not be written.
///
/// A reader that went away (`EPIPE`, or a terminal that is gone) ends the output and nothing else. Any other failure is
/// kept for the end of the command, which turns it into a warning.
final class OutputChannel {
  private enum Condition { case open, readerIsGone, failed(SystemTrouble) }

  /// Nil keeps everything.
  private let descriptor: Int32?
  private var buffer: [UInt8] = []
  private var condition = Condition.open
  private static let capacity = 1 << 16
  /// When the present call to the system began, 0 between calls.
  private static let callBegan = Atomic<Int64>(0)

  /// Since when the process waits for a reader of its output; nil while it does not.
  static var waitsSince: MonotonicInstant? {
    let began = callBegan.load(ordering: .relaxed)
    return began == 0 ? nil : MonotonicInstant(nanoseconds: began)
  }

  /// What the body writes to a channel that leads nowhere.
  static func bytes(_ body: (OutputChannel) -> Void) -> [UInt8] {
    let channel = OutputChannel(descriptor: nil)
    body(channel)
    return channel.buffer
  }

  /// Counts as waiting for a reader while the body goes on.
  static func waiting(_ body: () -> Void) {
    callBegan.store(MonotonicInstant.now.nanoseconds, ordering: .relaxed)
    body()
    callBegan.store(0, ordering: .relaxed)
  }

  convenience init(descriptor: Int32) {
    self.init(descriptor: .some(descriptor))
    buffer.reserveCapacity(Self.capacity + 4096)
  }

  private init(descriptor: Int32?) { self.descriptor = descriptor }

  /// Why bytes were lost; nil while all is well, and when only the reader went away.
  var failure: SystemTrouble? {
    if case .failed(let trouble) = condition { trouble } else { nil }
  }

  /// Whether anybody can still read what is written.
  var isOpen: Bool {
    if case .open = condition { true } else { false }
  }

  /// Finds out whether the reader went away, for whoever may have nothing to write for long.
  func lookForReader() {
    guard isOpen, let descriptor else { return }
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    guard poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLERR | POLLHUP) != 0 else { return }
    condition = .readerIsGone
  }

  func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    flushIfFull()
  }

  func write(_ byte: UInt8) {
    buffer.append(byte)
    flushIfFull()
  }

  func write(_ bytes: some Collection<UInt8>) {
    buffer.append(contentsOf: bytes)
    flushIfFull()
  }

  /// Lets the body add bytes at the end of the buffer, for writers of many small pieces.
  @inline(__always)
  func append(_ body: (inout [UInt8]) -> Void) {
    body(&buffer)
    flushIfFull()
  }

  /// Gives everything to the system.
  func flush() {
    guard let descriptor else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    guard isOpen else { return }
    buffer.withUnsafeBytes { bytes in
      var rest = bytes[...]
      defer { Self.callBegan.store(0, ordering: .relaxed) }
      while !rest.isEmpty, isOpen {
        Self.callBegan.store(MonotonicInstant.now.nanoseconds, ordering: .relaxed)
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
        if count >= 0 { rest = rest.dropFirst(count) } else { take(errno, descriptor) }
      }
    }
  }

  private func flushIfFull() {
    if buffer.count >= Self.capacity { flush() }
  }

  private func take(_ error: Int32, _ descriptor: Int32) {
    switch error {
    case EINTR: break
    case EAGAIN: Self.waitUntilWritable(descriptor)
    case EPIPE: condition = .readerIsGone
    case EIO where isatty(descriptor) == 0 && errno == EIO: condition = .readerIsGone  // the terminal hung up
    default: condition = .failed(SystemTrouble(error))
    }
  }

  /// Somebody else may have made the stream non-blocking; it belongs to all who share it.
  private static func waitUntilWritable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&entry, 1, -1)
  }
}
