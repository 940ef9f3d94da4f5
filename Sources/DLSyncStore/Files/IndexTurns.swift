import DLSyncThreading
import Glibc

/// Lets a writer have its turn among readers of the same process.
///
/// All connections of a process share SQLite's index of the write-ahead log, and the first one to open it decides
/// whether it can be written. While one reader follows upon another, that stays as the first left it, so a writer waits
/// for all of them to end, and new readers wait behind it.
enum IndexTurns {
  /// How many writers wait, by the path of the database.
  private static let waiting = Locked<[String: Int]>([:])

  /// Runs what a writer does to get its turn.
  static func waiting<Result>(_ path: String, _ body: () throws(StoreFailure) -> Result) throws(StoreFailure) -> Result
  {
    waiting.withLock { $0[path, default: 0] += 1 }
    defer {
      waiting.withLock { counts in
        counts[path] = counts[path].flatMap { $0 > 1 ? $0 - 1 : nil }
      }
    }
    return try body()
  }

  /// Returns when no writer waits, or after so many seconds: it may wait in vain.
  static func yield(_ path: String, atMost seconds: Double) {
    let began = MonotonicInstant.now
    while waiting.withLock({ $0[path] != nil }), MonotonicInstant.now.seconds(since: began) < seconds { usleep(1000) }
  }
}
