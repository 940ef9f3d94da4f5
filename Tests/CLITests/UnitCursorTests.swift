import DLSyncTestSupport
import DLSyncThreading
import Glibc
import Testing

@testable import DLSyncCLI

@Suite struct CursorTests {
  @concurrent private static func show(_ signals: SignalWatch, _ isShown: Locked<Bool>, _ writer: Int32) async {
    signals.showCursor()
    isShown.withLock { $0 = true }
    close(writer)
  }

  /// A pipe that is full stands for a terminal that takes nothing for a while.
  @Test func theCursorComesBackOnceTheTerminalTakesSomething() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader) }
    let signals = SignalWatch(standardError: writer)
    signals.hideCursor()
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    var filler = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
    while write(writer, &filler, filler.count) > 0 {}
    _ = fcntl(writer, F_SETFL, 0)
    let isShown = Locked(false)
    async let _: Void = Self.show(signals, isShown, writer)
    try await Task.sleep(for: .milliseconds(500))
    #expect(!isShown.withLock { $0 })
    var text: [UInt8] = []
    while case let count = read(reader, &filler, filler.count), count > 0 { text += filler[..<count] }
    #expect(isShown.withLock { $0 })
    #expect(text.starts(with: Array("\u{1b}[?25l".utf8)) && text.suffix(6).elementsEqual("\u{1b}[?25h".utf8))
  }
}
