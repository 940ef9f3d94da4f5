import DLSyncThreading

/// The folders that this process made and whose names have not reached the device yet, each with those above it. One of them
/// may be opened again before a file in it is published: whoever publishes there must know all the same.
enum UnsettledFolders {
  private static let ways = Locked<[FolderIdentity: [FolderIdentity]]>([:])

  /// A folder was made under this name, below `above`. Answers it with those.
  static func note(_ name: String, in parent: Int32, below above: [FolderIdentity]) -> [FolderIdentity] {
    guard let found = try? status(parent, name) else { return above }
    let made = FolderIdentity(found)
    let way = above + [made]
    ways.withLock { $0[made] = way }
    return way
  }

  /// The open folder and those above it, if it is one of them. It costs nothing where there are none.
  static func way(to descriptor: Int32) -> [FolderIdentity] {
    guard ways.withLock({ !$0.isEmpty }), let identity = try? FolderIdentity(descriptor) else { return [] }
    return ways.withLock { $0[identity] } ?? []
  }

  static func containsAny(of folders: [FolderIdentity]) -> Bool {
    !folders.isEmpty && ways.withLock { ways in folders.contains { ways[$0] != nil } }
  }

  /// The file system that holds them has been flushed since they were made.
  static func remove(_ folders: [FolderIdentity]) {
    guard !folders.isEmpty else { return }
    ways.withLock { ways in
      for folder in folders { ways[folder] = nil }
    }
  }
}
