public import DLSyncModel

/// What became of the files of one manifest when the state was made anew.
public struct StateRebuild: Sendable {
  /// How one file came into the new state.
  public enum Finding: String, CaseIterable, Sendable {
    /// The declared checksum, or what could be read of the old state, vouches for it.
    case adopted
    /// Nothing vouches for it: it counts as dlsync's as it is.
    case adoptedAsItIs
    /// It was changed since dlsync published it; that is remembered.
    case modified
    /// Something else is there, and stays a conflict.
    case inTheWay
    /// `onConflict: keep` leaves it alone; it is not dlsync's.
    case kept
    /// Nothing is there; apply fetches it.
    case absent
  }

  /// One file.
  public struct File: Sendable {
    /// What the manifest says of it.
    public let entry: FileEntry
    /// How it came into the new state.
    public let finding: Finding
    /// SHA-256 as it is recorded now; nil where nothing is.
    public let fingerprint: Digest?
  }

  /// The manifest, as the user named it.
  public let manifest: String
  /// In the manifest's order.
  public let files: [File]

  /// How many files came to a finding.
  public func count(_ finding: Finding) -> Int { files.count { $0.finding == finding } }
}

/// What all manifests came to, and where the old state is.
public struct StateRebuildResult: Sendable {
  /// The new names of the old database's files; empty where there was none.
  public let setAside: [String]
  /// One for each manifest.
  public let manifests: [StateRebuild]
  /// What the old state had records of and no manifest was named for, as far as it could be read: not in the new one.
  public let forgotten: [Scope]
}
