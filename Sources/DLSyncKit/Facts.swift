internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncPlanner
internal import DLSyncStore
internal import DLSyncThreading
internal import Glibc

/// Everything that a plan is decided from: what is recorded and what the disk shows. Gathering, without decisions.
struct Facts: Sendable {
  var stored: StoredState
  var survey: DiskSurvey

  /// Reads the record and looks at every destination.
  static func gather(_ manifest: Manifest, store: Store?, workspace: Workspace) async throws(DLSyncError) -> Facts {
    var stored = StoredState()
    if let store { stored = try await store.state(of: manifest.scope) }
    stored.queues = stored.queues.map { queue in
      let holder = QueueLock.holder(
        folder: workspace.locksFolder, name: QueueLock.name(scope: manifest.scope, queue: queue.name))
      // This process's own lock is no obstacle to its own plan.
      return StoredQueue(
        name: queue.name, settings: queue.settings, runningProcess: holder == getpid() ? nil : holder)
    }
    return Facts(stored: stored, survey: Surveyor().survey(manifest.files))
  }

  /// Reads the files that are in doubt, then decides. After `cancel` it decides wrongly: nobody may look at that plan.
  func plan(_ manifest: Manifest, _ options: PlanOptions, cancel: CancelToken? = nil) -> Plan {
    let preparation = Planner(options: PlanningOptions(options)).prepare(manifest, stored)
    let surveyor = Surveyor(cancel: cancel)
    var survey = survey
    let sources = preparation.sources(survey)
    if !sources.isEmpty { survey.recorded = surveyor.survey(recorded: sources) }
    let questions = preparation.questions(survey)
    if !questions.isEmpty { surveyor.hash(questions, of: manifest.files, into: &survey) }
    let plan = preparation.plan(survey)
    return options.isOffline ? plan.offline : plan
  }
}

extension PlanningOptions {
  init(_ options: PlanOptions) {
    self.init(
      onConflict: options.onConflict, hashesEverything: options.hashesEverything,
      refreshes: options.refreshes, selection: Selection(options),
      now: .now)
  }
}

extension Selection {
  init(_ options: PlanOptions) {
    self.init(
      queues: options.queues.isEmpty ? nil : Set(options.queues.map { QueueName($0) }),
      patterns: options.only.isEmpty ? nil : options.only.map { GlobPattern($0) },
      tags: options.tags.isEmpty ? nil : Set(options.tags), shard: options.shard)
  }
}
