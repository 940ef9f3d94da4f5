internal import DLSyncModel
internal import DLSyncPlanner

extension PlanOptions {
  /// The same where a selection of files is one of queues, too: whoever wants no file of a queue neither needs its lock nor
  /// changes its record.
  func narrowed(to manifest: Manifest) -> PlanOptions {
    guard !only.isEmpty || !tags.isEmpty || shard != nil else { return self }
    let selection = Selection(self, of: manifest)
    var found: Set<QueueName> = []
    for entry in manifest.files where !found.contains(entry.queue) && selection.contains(entry) {
      found.insert(entry.queue)
      if found.count == manifest.queues.count { break }
    }
    var options = self
    options.usedQueues = found
    return options
  }

  /// The queues that count; nil for all.
  var wantedQueues: Set<QueueName>? { usedQueues ?? (queues.isEmpty ? nil : Set(queues.map { QueueName($0) })) }

  /// Those of these queues that count.
  func wanted(_ queues: [QueueDeclaration]) -> Set<QueueName> {
    let names = Set(queues.map(\.name))
    return wantedQueues.map(names.intersection) ?? names
  }
}

extension Selection {
  init(_ options: PlanOptions, of manifest: Manifest) {
    let only = options.only + options.only.compactMap { WorkingFolder.withoutLinks($0) }
    self.init(
      queues: options.wantedQueues,
      patterns: only.isEmpty ? nil : only.map { GlobPattern($0) },
      tags: options.tags.isEmpty ? nil : Set(options.tags), shard: options.shard, managedFolder: manifest.managedFolder)
  }
}
