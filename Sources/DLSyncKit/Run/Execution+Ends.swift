internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// How files and the run come to their ends: published, failed, put back, or stopped.
extension Execution {
  /// A file is at its end: it is told, recorded, and what waits for it goes on.
  func end(_ job: FileJob, _ outcome: FileOutcome) {
    jobs[job.file] = nil
    endedMeanwhile?.insert(job.entry.id)
    if outcome.state != .completed { unfinished.insert(job.file) }
    releaseSpace(of: job)
    relay.send(.ended(outcome))
    switch outcome.state {
    case .completed: break
    case .failed:
      noteLeaving(job, .failed, outcome.error)
      // The next run settles what is in place by its recorded intent, which any other state would take back.
      let isPlaced = outcome.error?.details.isPlaced == true
      if !isPlaced, !putBack(job) {
        journal.add(.state(job.entry.id, .failed, error: outcome.error), for: job.entry.id)
      }
      if options.failFast { close() }
    // The agent's next run asks once more.
    case .waiting where !isAgents && putBack(job): break
    default: journal.add(.state(job.entry.id, outcome.state, error: nil), for: job.entry.id)
    }
    releaseDependents(of: job.file)
    wakeUp()
  }

  /// A refresh that brought nothing leaves the record as it was: the file that is there is still finished, and still due.
  private func putBack(_ job: FileJob) -> Bool {
    guard let file = job.refreshed, job.fetchedBytes == 0 else { return false }
    journal.add(.settled(job.entry.id, file), for: job.entry.id)
    return true
  }

  /// Whoever waited for the file may begin: to copy it, or, where it did not come, to fetch the bytes for itself.
  func releaseDependents(of file: Int) {
    let waiting = dependents.release(file)
    guard !waiting.isEmpty, !schedule.isClosed else { return }
    schedule.add(waiting.map { ($0, plan.files[$0].entry) })
  }

  // MARK: Publishing

  /// Hands a file over for its last steps, which hold no slot.
  func hand(_ item: GroupPublisher.Item) {
    publishing += 1
    publisher.publish(item, isAwaited: !schedule.isBusy)
  }

  /// Takes files back from the publisher, group by group.
  func takePublished() async {
    while let outcomes = await publisher.outcomes.receive() {
      for outcome in outcomes {
        if let job = jobs[outcome.file] {
          for change in outcome.unrecorded { journal.add(change, for: job.entry.id) }
          await endPublishing(job, outcome.result)
        }
        publishing -= 1
      }
      wakeUp()
      // A run that may go on for days shares what it has.
      if isAgents, !copies.unsealed.isEmpty { await endKeeping() }
    }
  }

  // MARK: Stopping

  func obey(_ stop: StopRequest) async {
    guard let signal = await stop.wait() else { return }
    ending.signal = signal
    close()
  }

  /// A signal that came when nothing ran any more.
  func note(_ signal: Int32) { ending.signal = ending.signal ?? signal }

  /// Nothing new begins; what runs is left for the next run.
  func close() {
    schedule.close()
    dependents.removeAll()
    listWaiters.removeAll()
    lists.close()
    copies.thread.cancel.cancel()
    for job in jobs.values where job.holdsSlot && job.state != .verifying { job.cancel.cancel() }
    for job in jobs.values where job.state == .retrying && !job.holdsSlot {
      leavePart(job)
      end(job, job.outcome(.waiting, now: .now))
    }
    wakeUp()
  }

  /// The record cannot be written: the run is over, whatever else would have worked.
  func fail(_ error: DLSyncError) {
    guard ending.error == nil else { return }
    ending.error = error
    close()
  }

  /// What the manifest no longer names goes when all else is done, and stays when the run was stopped.
  func prune(stop: StopRequest) async throws(DLSyncError) {
    guard let pruning, !schedule.isClosed, ending.error == nil else { return }
    defer { if let signal = stop.signal { note(signal) } }
    let sources = Set(unfinished.compactMap { plan.files[$0].copyFrom.map { BytewiseText($0.path) } })
    let locks = pruning.lockQueues()
    defer { for lock in locks.values { lock.release() } }
    // Of queues that run elsewhere nothing is pruned, and whoever runs them obeys.
    try await attended(ownQueues.union(locks.keys)) { () throws(DLSyncError) in
      try await pruning.run(keeping: sources, locked: Set(locks.keys), store: store, relay: relay, stop: stop)
    }
  }
}
