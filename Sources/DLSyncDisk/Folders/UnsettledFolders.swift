import DLSyncThreading

/// The folders of this process whose own names, or those above them, have not reached the device yet. One that was made just
/// now may be opened again before a file in it is published: whoever publishes there must know all the same.
enum UnsettledFolders {
  private static let identities = Locked<Set<FolderIdentity>>([])

  /// A folder that is opened: itself where it is or may be one of them, else nil, which costs nothing.
  static func identity(of descriptor: Int32, isNew: Bool) -> FolderIdentity? {
    guard isNew || identities.withLock({ !$0.isEmpty }), let identity = try? FolderIdentity(descriptor) else {
      return nil
    }
    if isNew { _ = identities.withLock { $0.insert(identity) } }
    return identity
  }

  static func contains(_ identity: FolderIdentity) -> Bool { identities.withLock { $0.contains(identity) } }

  static func remove(_ identity: FolderIdentity) { _ = identities.withLock { $0.remove(identity) } }
}
