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
  /// Whether only what concerns the entries was read of the record.
  var isPartial = false

  /// Reads the record and looks at every destination. What the entries do not concern is left out where `isPartial`: then
  /// it costs as much as they are many.
  static func gather(
    _ manifest: Manifest, store: Store?, workspace: Workspace, isPartial: Bool = false
  ) async throws(DLSyncError) -> Facts {
    let seen = try await look(manifest, store, isPartial: isPartial)
    var stored = seen.stored
    stored.queues = stored.queues.map { queue in
      let holder = QueueLock.holder(
        folder: workspace.locksFolder, name: QueueLock.name(scope: manifest.scope, queue: queue.name))
      // This process's own lock is no obstacle to its own plan.
      return StoredQueue(
        name: queue.name, settings: queue.settings, runningProcess: holder == getpid() ? nil : holder)
    }
    var survey = seen.survey
    // Whoever replaced one of them would lose every record.
    survey.bar(Store.files(folder: workspace.stateFolder), as: "file of dlsync's own state")
    return Facts(stored: stored, survey: survey, isPartial: isPartial)
  }

  /// The record is read on the store's own thread while the disk is looked at.
  private static func look(
    _ manifest: Manifest, _ store: Store?, isPartial: Bool
  ) async throws(DLSyncError) -> (stored: StoredState, survey: DiskSurvey) {
    guard let store else { return (StoredState(), Surveyor().survey(manifest.files)) }
    async let stored = recorded(manifest, store, isPartial: isPartial)
    let survey = Surveyor().survey(manifest.files)
    return (try await stored.get(), survey)
  }

  private static func recorded(
    _ manifest: Manifest, _ store: Store, isPartial: Bool
  ) async -> Result<StoredState, DLSyncError> {
    do throws(DLSyncError) {
      return .success(
        isPartial
          ? try await store.state(of: manifest.scope, concerning: manifest.files)
          : try await store.state(of: manifest.scope, files: manifest.files))
    } catch {
      return .failure(error)
    }
  }

  /// Reads the files that are in doubt, then decides. After `cancel` it decides wrongly: nobody may look at that plan.
  func plan(_ manifest: Manifest, _ options: PlanOptions, cancel: CancelToken? = nil) -> Plan {
    let preparation = DLSyncPlanner.Planner(options: PlanningOptions(options, of: manifest)).prepare(manifest, stored)
    return decide(preparation, answering(preparation, manifest, cancel), options)
  }

  /// The same, and bytes that lie elsewhere need not travel. Of a part of the record it throws `interrupted` after `cancel`.
  ///
  /// `desk` obeys commands while files are read: then the plan may be out of date, and what was read is in `readings` for
  /// the next one.
  func plan(
    _ manifest: Manifest, _ options: PlanOptions, elsewhere: Elsewhere, cancel: CancelToken? = nil,
    desk: RecordDesk? = nil, readings: inout Readings
  ) async throws(DLSyncError) -> Plan {
    let preparation = DLSyncPlanner.Planner(options: PlanningOptions(options, of: manifest)).prepare(manifest, stored)
    var survey = await answered(preparation, manifest, cancel, desk, readings)
    readings.keep(survey, manifest.files)
    if isPartial, cancel?.isCancelled == true { throw DLSyncError(.interrupted, "the run was stopped") }
    // Where there is nothing elsewhere, a million entries need not be asked what they want.
    if elsewhere.cache != nil || isPartial || !stored.foreignClaims.isEmpty {
      survey.elsewhere = try await elsewhere.find(preparation.wanted(survey), besides: manifest.scope)
    }
    return decide(preparation, survey, options)
  }

  private func answering(_ preparation: Preparation, _ manifest: Manifest, _ cancel: CancelToken?) -> DiskSurvey {
    let (survey, questions) = asking(preparation)
    return questions.isEmpty ? survey : Self.read(questions, manifest.files, survey, cancel)
  }

  /// The same. Whoever has other work meanwhile does not read himself: what is to be read may be terabytes, and is read on a
  /// thread of its own.
  private func answered(
    _ preparation: Preparation, _ manifest: Manifest, _ cancel: CancelToken?, _ desk: RecordDesk?, _ readings: Readings
  ) async -> DiskSurvey {
    let files = manifest.files
    var (seen, open) = asking(preparation)
    open = readings.answer(open, files, &seen)
    let (survey, questions) = (seen, open)
    guard !questions.isEmpty else { return survey }
    let executor = ThreadExecutor(name: "dlsync-read")
    defer { executor.stop() }
    let reading = { () async -> DiskSurvey in
      await withTaskExecutorPreference(executor) { await Self.readApart(questions, files, survey, cancel) }
    }
    return if let desk { await desk.attending(reading) } else { await reading() }
  }

  @concurrent private static func readApart(
    _ questions: [HashRequest], _ files: [FileEntry], _ survey: DiskSurvey, _ cancel: CancelToken?
  ) async -> DiskSurvey {
    read(questions, files, survey, cancel)
  }

  private static func read(
    _ questions: [HashRequest], _ files: [FileEntry], _ survey: DiskSurvey, _ cancel: CancelToken?
  ) -> DiskSurvey {
    var survey = survey
    Surveyor(cancel: cancel).hash(questions, of: files, into: &survey)
    return survey
  }

  /// What is seen by now, and what of it only the bytes can tell.
  private func asking(_ preparation: Preparation) -> (survey: DiskSurvey, questions: [HashRequest]) {
    var survey = survey
    let sources = preparation.sources(survey)
    if !sources.isEmpty { survey.recorded = Surveyor().survey(recorded: sources) }
    return (survey, preparation.questions(survey))
  }

  private func decide(_ preparation: Preparation, _ survey: DiskSurvey, _ options: PlanOptions) -> Plan {
    let plan = preparation.plan(survey)
    return options.isOffline ? plan.offline : plan
  }
}

/// Where bytes may lie that a manifest wants: at the destinations of others, and in the cache.
struct Elsewhere: Sendable {
  let store: Store?
  let cache: ContentCache?

  /// What is there right now. Nothing of it is trusted: a copy has to prove itself.
  func find(_ wanted: Set<Digest>, besides scope: Scope) async throws(DLSyncError) -> [Digest: CopySource] {
    let wanted = wanted.filter { ContentCache.finds($0.algorithm) }
    guard !wanted.isEmpty else { return [:] }
    var found: [Digest: CopySource] = [:]
    if let cache {
      for digest in wanted { found[digest] = cache.find(digest) }
    }
    guard let store, found.count < wanted.count else { return found }
    let files = try await store.files(besides: scope, having: wanted.filter { found[$0] == nil })
    let seen = Surveyor().survey(recorded: Set(files.values.joined().map { BytewiseText($0.path) }).map(\.text))
    for (digest, places) in files {
      found[digest] = places.first { place in
        guard case .file(let identity) = seen[BytewiseText(place.path)] else { return false }
        return identity.isUntouched(since: place.published.identity)
      }
    }
    return found
  }
}

extension PlanningOptions {
  init(_ options: PlanOptions, of manifest: Manifest) {
    self.init(
      onConflict: options.onConflict, hashesEverything: options.hashesEverything,
      refreshes: options.refreshes, selection: Selection(options, of: manifest), alsoWanted: options.alsoWanted,
      now: .now)
  }
}
