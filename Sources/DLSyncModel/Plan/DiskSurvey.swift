/// What was seen at one destination, without following a link at its end.
public enum Observation: Hashable, Sendable {
  /// Nothing is there; parents that are missing can be made.
  case absent
  /// A regular file.
  case file(FileIdentity)
  /// A symbolic link, to whatever.
  case symbolicLink
  /// A folder.
  case folder
  /// A device, socket or pipe; the word for it.
  case special(String)
  /// Something on the way that should be a folder is not; its path.
  case parentIsNoFolder(String)
  /// A symbolic link on the way leaves the root; the link's path.
  case leavesRoot(String)
  /// A component is longer than the file system allows.
  case nameTooLong
  /// It could not be looked at; the system's word for why.
  case inaccessible(String)
}

/// What was seen on disk, one observation for each entry of the manifest, in its order.
public struct DiskSurvey: Sendable {
  /// By entry.
  public var observations: [Observation]
  /// Digests of existing files, by entry and algorithm, as far as `HashRequest`s asked for them. A file that could not
  /// be read has none.
  public var digests: [Int: [DigestAlgorithm: Digest]]
  /// Why, of such files, by entry.
  public var failures: [Int: DLSyncError] = [:]
  /// Free bytes of each file system, by device number, for planning.
  public var freeSpace: [UInt64: ByteCount]
  /// The file system of each entry's nearest existing folder, by device number, parallel to `observations`; empty where
  /// nobody asked for it.
  public var devices: DeviceList
  /// Groups of entries whose paths differ though the disk takes them for one place: through a linked folder, or because
  /// the file system folds case or Unicode form.
  public var aliases: [[Int]]
  /// What was seen at recorded destinations that no entry names, as far as the planner asked for them.
  public var recorded: [BytewiseText: Observation]
  /// Files outside of the manifest that have a digest which is wanted, as far as the planner asked for them.
  public var elsewhere: [Digest: CopySource] = [:]

  /// Takes what was seen.
  public init(
    observations: [Observation], digests: [Int: [DigestAlgorithm: Digest]] = [:],
    freeSpace: [UInt64: ByteCount] = [:], devices: DeviceList = [], aliases: [[Int]] = [],
    recorded: [BytewiseText: Observation] = [:]
  ) {
    self.observations = observations
    self.digests = digests
    self.freeSpace = freeSpace
    self.devices = devices
    self.aliases = aliases
    self.recorded = recorded
  }
}

/// A file whose bytes must be read before a decision is possible.
public struct HashRequest: Hashable, Sendable {
  /// The entry, as an index into the manifest's files.
  public let entry: Int
  /// The digests that are wanted.
  public let algorithms: [DigestAlgorithm]

  /// Takes an entry and what is to be known of its file.
  public init(entry: Int, algorithms: [DigestAlgorithm]) {
    self.entry = entry
    self.algorithms = algorithms
  }
}
