internal import DLSyncModel
internal import DLSyncSystem

/// How many files a run may have in hand, so that the process never needs more open ones than it may have.
///
/// A running file has its part file and its connections. A verified one has its part file until it is in place: those of the
/// group that is being published, and of the one that waits.
struct OpenFileBudget: Equatable {
  /// What is everybody's: the state, libraries, folders, streams.
  private static let common = 64
  /// A larger group gains nothing and delays its first file.
  private static let largestGroup = 256

  /// Files that are published together.
  let group: Int
  /// Files that run at once.
  let running: Int

  /// Verified files on their way through the publisher: a group in place that is not yet recorded, one that is being
  /// published, and one that waits.
  var publishing: Int { 3 * group }

  /// `limit` is that of the process.
  init(limit: Int, connectionsPerFile: Int) {
    let spare = max(0, limit - Self.common)
    group = min(Self.largestGroup, max(1, spare / 8))
    running = max(1, (spare - 2 * group) / (2 + connectionsPerFile))
  }

  init(_ queues: [QueueDeclaration]) {
    self.init(
      limit: OpenFileLimit.current,
      connectionsPerFile: queues.map(\.configuration.connectionsPerFile).max() ?? 1)
  }
}
