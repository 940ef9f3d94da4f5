internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What is handed to the agent while it runs the queue already.
extension Execution {
  /// Before somebody reads the record to find more for the run: what it says of the run's files is true when this returns.
  func beginLook() async throws(DLSyncError) {
    endedMeanwhile = []
    try await flushJournal()
  }

  /// The entries that this run has nothing to do with so far. Those that it has, but as they were before, are begun again
  /// as they are now; what was confirmed of them is kept as far as the server still agrees.
  func unknown(among entries: [BackgroundEntry]) -> [BackgroundEntry] {
    let ended = endedMeanwhile ?? []
    endedMeanwhile = nil
    var fresh: [BackgroundEntry] = []
    for background in entries where !ended.contains(background.entry.id) {
      let entry = background.entry
      guard let file = index(of: entry.id), jobs[file] != nil || isWaiting(file) || commanded.parked[file] != nil else {
        fresh.append(background)
        continue
      }
      let planned = planned(file)
      guard !entry.isSameRequest(as: planned.entry) else { continue }
      commanded.revised[file] = planned.withEntry(entry)
      guard let job = jobs[file] else { continue }
      if job.holdsSlot, job.state != .verifying {
        job.wish = job.wish ?? .waiting
        job.cancel.cancel()
      } else if job.state == .retrying {
        begin(again: job)
      }
    }
    return fresh
  }

  /// Whether a file waits for its turn, for another file's bytes, or for a list of checksums.
  func isWaiting(_ file: Int) -> Bool {
    schedule.holds(file) || dependents.holds(file) || listWaiters.holds(file)
  }

  /// The state of a file that a command took out of the run. What was removed is for the record to tell: by now it may be a
  /// new task.
  func heldState(_ file: Int) -> TaskState? { commanded.parked[file].flatMap { $0.state == .removed ? nil : $0.state } }

  /// New tasks, which may have the ids of removed ones: the run forgets those.
  func forgetRemoved(_ ids: [TaskID]) {
    for id in ids {
      guard let file = index(of: id), commanded.parked[file]?.state == .removed else { continue }
      if let outcome = commanded.parked.removeValue(forKey: file)?.outcome { relay.send(.ended(outcome)) }
    }
  }

  /// Takes more files into the run, with what lock files say of them. Where it is at its end already, they are for the
  /// next one.
  func join(_ files: [FilePlan], pins: [TaskID: LockPin] = [:]) async {
    pinning.pins.merge(pins) { $1 }
    let first = plan.files.count
    let files = files.map { $0.shifted(by: first) }
    guard !isOver, !schedule.isClosed else { return }
    do throws(DLSyncError) {
      let refused = try await store.record(
        Plan(scope: plan.scope, source: plan.source, queues: [], files: files, orphans: []), now: .now)
      // What commands said about the order before the run knew the files.
      let standings = try await store.standings(of: plan.scope)
      guard !isOver, !schedule.isClosed, plan.files.count == first else { return }
      plan.append(files)
      relay.send(.joined(files))
      let now = MonotonicInstant.now
      for file in files { lists.renew(for: file.entry, now) }
      if !fileByTask.isEmpty {
        for index in first..<plan.files.count { fileByTask[plan.files[index].entry.id] = index }
      }
      refuse(refused)
      for index in first..<plan.files.count {
        guard let standing = standings[plan.files[index].entry.id] else { continue }
        schedule.stand(index, priority: standing.priority, rank: standing.rank)
      }
      schedule.add(
        (first..<plan.files.count).compactMap { index in
          let file = plan.files[index]
          guard !file.isHeld, !self.refused.contains(index), isReady(index, file) else { return nil }
          return (index, file.entry)
        })
      wakeUp()
    } catch {
      fail(error)
    }
  }

  /// Whether a file needs bytes and may begin: a copy waits for the file that it is copied from.
  func isReady(_ index: Int, _ file: FilePlan) -> Bool {
    switch file.action {
    case .download: return true
    case .conflict: return false
    case .reuse:
      guard let source = file.copyOf, !isHandedOver(source), !refused.contains(source) else { return file.isCopied }
      if plan.files[source].action == .download || plan.files[source].isCopied {
        dependents.add(index, on: source)
        return false
      }
      if case .file(let identity) = plan.files[source].basis { dependents.offer(source, identity) }
      return true
    }
  }

  /// The attempt of a file that has another entry now has ended; it waits for the next one.
  func begin(again job: FileJob) {
    jobs[job.file] = nil
    releaseSpace(of: job)
    schedule.remove(job.file)
    listWaiters.remove(job.file)
    leavePart(of: job, keeping: true)
    commanded.fetchedBefore[job.file] = ByteCount(job.fetchedBytes)
    let reason = reasonToWait(job.entry.queue)
    move(job, to: .waiting, error: reason)
    journal.add(.state(job.entry.id, .waiting, error: reason), for: job.entry.id)
    desk.answerWaiting(for: job.file)
    if !schedule.isClosed { schedule.add([(job.file, job.entry)]) }
    wakeUp()
  }
}

extension FileEntry {
  /// Whether fetching one is fetching the other.
  fileprivate func isSameRequest(as other: FileEntry) -> Bool {
    url.text == other.url.text && checksums == other.checksums && size == other.size
      && options.settings == other.options.settings
  }
}

extension FilePlan {
  /// The same with nothing to build upon.
  var beginningAnew: FilePlan {
    FilePlan(
      entry: entry, action: action, reason: .retry, isHeld: isHeld, basis: basis, copyOf: copyOf, copyFrom: copyFrom,
      settles: settles, appliesPermissions: appliesPermissions, error: error)
  }
}
