public import DLSyncModel

/// What narrows or overrides a manifest for one plan.
public struct PlanOptions: Sendable {
  /// Only files of these queues; empty for all.
  public var queues: [String] = []
  /// Only files whose destination or URL matches one of these patterns; empty for all.
  public var only: [String] = []
  /// Only this part of the files; nil for all.
  public var shard: Shard?
  /// Only files with one of these tags; empty for all.
  public var tags: [String] = []
  /// Refuses the whole where the lock file does not cover every selected file (`lockOutdated`).
  public var requiresLock = false
  /// Contacts no server: a file that would have to be fetched is `networkNotAllowed`.
  public var isOffline = false
  /// Overrides every file's own `onConflict`.
  public var onConflict: ConflictPolicy?
  /// Trusts no time stamp: every file that should be there is hashed.
  public var hashesEverything = false

  /// Absolute paths where other manifests of the same name want files: what is recorded of them is no orphan, and they are not
  /// pruned by another name either.
  public var alsoWanted: Set<BytewiseText> = []
  /// Absolute paths that other manifests will have claimed when this plan's turn comes, beside what is recorded of them.
  public var alsoClaimed: [BytewiseText: Scope] = [:]

  /// Checks every finished file with its server, whatever its entry says. A plan asks too, and fetches nothing.
  public var refreshes = false
  /// Who somebody is for which machine, where servers are asked.
  public var netrc: Netrc?

  /// The queues of the selected files; nil for all, or where nobody has asked yet.
  var usedQueues: Set<QueueName>?

  /// Everything, decided as the manifest says.
  public init() {}
}

/// How one manifest is applied.
public struct ApplyOptions: Sendable {
  /// What is planned.
  public var planning = PlanOptions()
  /// Files at once over all queues, beside each queue's own limit.
  public var jobs: Int?
  /// Payload rate of the whole run in bytes a second, beside each queue's own.
  public var rate: ByteCount?
  /// Begins nothing more once a file has failed.
  public var failFast = false
  /// Forgets what the manifest no longer names, and deletes files of it that are still exactly what dlsync published.
  public var prunes = false
  /// Files that do not hold what they should: they are fetched again, and nothing else is. Nil makes everything be as the
  /// manifest says.
  public var repairing: Set<TaskID>?
  /// Stops like a signal after so long.
  public var maxDuration: Duration?
  /// Stops like a signal after so much payload.
  public var maxBytes: ByteCount?
  /// Runs background queues in the command itself.
  public var runsInForeground = false
  /// Waits for the end of what was handed to the agent, and takes its result as its own.
  public var waits = false
  /// The user's command that the agent runs when all work of a background queue has ended.
  public var onComplete: String?
  /// How long to wait for a queue that another process runs.
  public var lockTimeout: Duration = .zero
  /// Nothing begins: `failFast`, and a file of an earlier run of the same command has failed.
  private(set) var hasFailed = false

  /// Everything, as fast as the manifest allows.
  public init() {}
}

extension ApplyOptions {
  var hasLimits: Bool { maxDuration != nil || maxBytes != nil || hasFailed }

  /// For the next run of the same command: what the last one, which took so long, left of the limits that count for all.
  public mutating func count(_ report: Report, time: Duration) {
    maxDuration = maxDuration.map { max(.zero, $0 - time) }
    maxBytes = maxBytes.map { ByteCount(max(0, $0.bytes - report.summary.fetchedBytes.bytes)) }
    hasFailed = hasFailed || failFast && report.summary.failed > 0
  }

  /// The queues that a run with these options holds the locks of.
  func runs(_ queues: [QueueDeclaration]) -> Set<QueueName> {
    planning.wanted(queues).subtracting(handsOver(queues))
  }

  /// The queues whose files go to the agent. A repair, and a run without network, is the command's own affair.
  func handsOver(_ queues: [QueueDeclaration]) -> Set<QueueName> {
    guard !runsInForeground, repairing == nil, !planning.isOffline else { return [] }
    return planning.wanted(queues.filter { $0.configuration.mode == .background })
  }
}
