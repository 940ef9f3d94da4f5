package import DLSyncModel

/// What the command line adds to a manifest, and the one moment that a plan may carry.
package struct PlanningOptions: Sendable {
  /// Overrides what each entry says of files that are in the way.
  package var onConflict: ConflictPolicy?
  /// Whether every file that dlsync published is read again, whatever its time stamps say.
  package var hashesEverything: Bool
  /// Whether every finished file is checked with its server again, whatever its entry says.
  package var refreshes: Bool
  /// Which entries are planned.
  package var selection: Selection
  /// Destinations of other manifests of the same name: what is recorded of them is no orphan.
  package var alsoWanted: Set<BytewiseText>
  /// When the disk was looked at: the moment that re-identified files are recorded with.
  package var now: Timestamp

  package init(
    onConflict: ConflictPolicy? = nil, hashesEverything: Bool = false, refreshes: Bool = false,
    selection: Selection = .everything, alsoWanted: Set<BytewiseText> = [],
    now: Timestamp
  ) {
    self.onConflict = onConflict
    self.hashesEverything = hashesEverything
    self.refreshes = refreshes
    self.selection = selection
    self.alsoWanted = alsoWanted
    self.now = now
  }
}

/// The part of a manifest that is planned. It decides what is shown and done, never what is decided: clashes, claims and
/// orphans are those of the whole manifest.
package struct Selection: Sendable {
  /// Only files of these queues; nil is all.
  package var queues: Set<QueueName>?
  /// Only files that one of these describes: the destination below the root, the whole path, or the URL; nil is all.
  package var patterns: [GlobPattern]?
  /// Only files with one of these words; nil is all.
  package var tags: Set<String>?
  /// Only files of this part; nil is all.
  package var shard: Shard?
  /// The folder of managed files, which is another one on each machine; nil where there are none.
  private let managedFolder: String?

  package init(
    queues: Set<QueueName>? = nil, patterns: [GlobPattern]? = nil, tags: Set<String>? = nil, shard: Shard? = nil,
    managedFolder: String? = nil
  ) {
    self.queues = queues
    self.patterns = patterns
    self.tags = tags
    self.shard = shard
    self.managedFolder = managedFolder
  }

  /// The whole manifest.
  package static let everything = Selection()

  /// Whether nothing is left out.
  var isEverything: Bool { queues == nil && patterns == nil && tags == nil && shard == nil }

  /// Whether an entry belongs to the part.
  package func contains(_ entry: FileEntry) -> Bool {
    if let queues, !queues.contains(entry.queue) { return false }
    if let shard, !shard.contains(entry.nameOnEveryMachine(managedFolder: managedFolder)) { return false }
    if let tags, !entry.options.settings.tags.contains(where: { tags.contains($0) }) { return false }
    guard let patterns else { return true }
    return patterns.contains {
      $0.matches(entry.destination.relativePath) || $0.matches(entry.destination.path) || $0.matches(entry.url.text)
    }
  }
}
