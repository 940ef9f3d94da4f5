internal import DLSyncThreading
internal import DLSyncTransfer

/// For how long nothing has come of a file, over whatever connections: one that is opened anew does not begin the wait
/// anew.
struct FileSilence {
  /// Looks are a second apart. In a longer time between two of them the process was stopped, or the machine slept.
  private static let longestGap: Int64 = 2_000_000_000

  private var lastLook: MonotonicInstant
  private var mostBytes: Int64 = 0
  private var isDoubtful = false
  /// Nanoseconds.
  private(set) var length: Int64 = 0

  init(from now: MonotonicInstant) { lastLook = now }

  /// `bytes` came so far, and this is what the connections do that are open.
  mutating func look(bytes: Int64, _ connections: some Sequence<Silence>, _ now: MonotonicInstant) {
    let gap = min(now.nanoseconds - lastLook.nanoseconds, Self.longestGap)
    lastLook = now
    if bytes > mostBytes || connections.contains(.heldBack) {
      mostBytes = max(mostBytes, bytes)
      length = 0
      isDoubtful = false
    } else if connections.contains(.awaited) {
      length += gap
    }
  }

  /// A response came: a sign of life, but not of a server that bytes were waited for in vain already.
  mutating func noteResponse() {
    if !isDoubtful { length = 0 }
  }

  /// A connection was given up because it brings too little.
  mutating func noteRevival() { isDoubtful = true }
}
