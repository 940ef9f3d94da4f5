internal import DLSyncModel
internal import DLSyncSystem
internal import DLSyncThreading
internal import DLSyncTransfer

/// How many files the runs of a process may have open, all together, so that it never needs more than it may have.
///
/// A running file has its part file, the folder of that, and its connections. A verified one has the former two until it is
/// in place: those of the group that is being published, of the one that waits, and of the one that is to be recorded.
final class OpenFileBudget: Sendable {
  private struct State {
    var used = 0
    /// Looked up when the first run begins.
    var spare: Int?
    /// Who waits until something is given back, by run.
    var waiting: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  /// What is everybody's: the state, libraries, folders, streams.
  private static let common = 64
  /// A larger group gains nothing and delays its first file.
  private static let largestGroup = 256
  /// A part file and its folder.
  static let filesOfPart = 2

  private let limit: @Sendable () -> Int
  private let state = Locked(State())

  /// `limit` is that of the process, which its owner may raise.
  init(limit: @escaping @Sendable () -> Int = { OpenFileLimit.current }) { self.limit = limit }

  /// What a running file has open.
  static func files(connections: Int) -> Int { filesOfPart + connections }

  /// What files may have open; connections that wait for their next request take the rest.
  private func spare(_ state: inout State) -> Int {
    if let spare = state.spare { return spare }
    let limit = limit()
    let spare = max(0, limit - Self.common - ConnectionCache.size(openFiles: limit))
    state.spare = spare
    return spare
  }

  /// Files that are published together.
  var group: Int { min(Self.largestGroup, max(1, state.withLock { spare(&$0) } / (8 * Self.filesOfPart))) }

  /// Verified files on their way through the publisher.
  var publishing: Int { 3 * group }

  /// What is in use right now.
  var used: Int { state.withLock { $0.used } }

  /// Whether so many more may be opened.
  func hasRoom(for count: Int) -> Bool {
    state.withLock { state in state.used + count <= spare(&state) }
  }

  /// The same. If not, `wake` is called once, from any thread, when something was given back.
  func hasRoom(for count: Int, of run: ObjectIdentifier, orWake wake: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.used + count <= spare(&state) { return true }
      state.waiting[run] = wake
      return false
    }
  }

  /// Takes what a file needs, whether there is room or not.
  func take() -> Share { Share(self) }

  fileprivate func add(_ count: Int) {
    guard count != 0 else { return }
    let waiting = state.withLock { state in
      state.used += count
      guard count < 0, !state.waiting.isEmpty else { return [@Sendable () -> Void]() }
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for wake in waiting { wake() }
  }

  /// What one file has of it; its end gives that back.
  final class Share {
    private let budget: OpenFileBudget
    private var count = 0

    fileprivate init(_ budget: OpenFileBudget) { self.budget = budget }

    deinit { budget.add(-count) }

    /// Has so many from now on.
    func set(_ count: Int) {
      budget.add(count - self.count)
      self.count = count
    }
  }
}
