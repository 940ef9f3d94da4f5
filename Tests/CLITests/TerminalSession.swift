import DLSyncTestSupport
import Glibc

/// A process at a pseudo-terminal, and the screen of it.
final class TerminalSession {
  let process: ChildProcess
  /// Resizes by the bytes that had come by then.
  private var resizes: [(bytes: Int, size: Launch.TerminalSize)] = []
  private let first: Launch.TerminalSize
  private let before: String

  /// Starts it below a line that was there `before`.
  init(_ launch: Launch, size: Launch.TerminalSize, before: String = "") throws {
    var launch = launch
    launch.terminalSize = size
    first = size
    self.before = before
    process = try ChildProcess(launch)
  }

  /// What the screen shows now.
  var screen: UnitScreen {
    let bytes = process.terminalSoFar
    var screen = UnitScreen(rows: Int(first.rows), columns: Int(first.columns))
    screen.write(before)
    var start = 0
    for resize in resizes {
      screen.write(String(decoding: bytes[start..<resize.bytes], as: UTF8.self))
      screen.resize(rows: Int(resize.size.rows), columns: Int(resize.size.columns))
      start = resize.bytes
    }
    screen.write(String(decoding: bytes[start...], as: UTF8.self))
    return screen
  }

  /// Waits until the screen is as wanted; gives the last one.
  func wait(seconds: Double = 15, until condition: (UnitScreen) -> Bool) -> UnitScreen {
    for _ in 0..<Int(seconds / 0.02) {
      let screen = screen
      if condition(screen) { return screen }
      usleep(20_000)
    }
    return screen
  }

  /// Resizes the terminal between two pictures: the process stands still until all that it wrote has come.
  func resize(columns: UInt16, rows: UInt16) {
    process.send(SIGSTOP)
    var count = -1
    while count != process.terminalSoFar.count {
      count = process.terminalSoFar.count
      usleep(60_000)
    }
    let size = Launch.TerminalSize(columns: columns, rows: rows)
    resizes.append((count, size))
    process.resizeTerminal(size)
    process.send(SIGCONT)
  }
}
