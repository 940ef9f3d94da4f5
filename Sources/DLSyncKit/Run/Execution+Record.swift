internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What goes on beside the transfers: the record, progress, limits of the run, files that stay as they are.
extension Execution {
  // MARK: The record

  /// Writes what is pending five times a second, sooner what lasts, and how far running files are every second.
  func writeJournal() async {
    var turn = 0
    while !Task.isCancelled {
      await executor.sleep(until: MonotonicInstant.now.advanced(by: 50_000_000))
      turn += 1
      if turn % 20 == 0 { noteProgress() }
      guard turn % 4 == 0 || journal.isUrgent else { continue }
      do throws(DLSyncError) { try await flushJournal() } catch { fail(error) }
    }
  }

  /// Something is pending that stays as it is for a while: other terminals are to see it before what follows. It is
  /// written at once, but where that was done a moment ago with the next look.
  func hurryJournal() {
    journal.isUrgent = true
    let now = MonotonicInstant.now
    guard now.seconds(since: journal.hurriedAt) > 0.05 else { return }
    journal.hurriedAt = now
    Task(executorPreference: executor) {
      do throws(DLSyncError) { try await self.flushJournal() } catch { await self.fail(error) }
    }
  }

  func flushJournal() async throws(DLSyncError) {
    guard !journal.isEmpty else { return }
    try await store.update(journal.takeAll(), now: .now)
  }

  // MARK: Progress

  /// Samples every running file at the shortest of the queues' intervals.
  func reportProgress() async {
    while !Task.isCancelled {
      let interval = queues.values.map(\.configuration.progressInterval).min() ?? .milliseconds(300)
      await executor.sleep(until: MonotonicInstant.now.advanced(by: interval.inNanoseconds))
      let now = MonotonicInstant.now
      for job in jobs.values.sorted(by: { $0.file < $1.file }) where job.state == .running {
        relay.send(.progress(file: job.file, job.watch(now)))
      }
    }
  }

  /// For other terminals.
  private func noteProgress() {
    for job in jobs.values where job.state == .running {
      journal.add(.progress(job.entry.id, job.look(.now)), for: job.entry.id)
    }
  }

  // MARK: Files that stay

  /// Permission bits of files that are reused but have others.
  func applyPermissions() {
    for (index, file) in plan.files.enumerated() where file.appliesPermissions && file.action == .reuse {
      guard let permissions = file.entry.options.permissions else { continue }
      do throws(DLSyncError) {
        guard case .file(let identity) = file.basis else { continue }
        let changed = try Permissions.apply(permissions, to: file.entry.destination, identity: identity)
        guard let published = file.settles else { continue }
        let settled = PublishedFile(fingerprint: published.fingerprint, identity: changed, recordedAt: .now)
        journal.add(.settled(file.entry.id, settled), for: file.entry.id)
      } catch {
        var outcome = FileOutcome(file: index, from: .completed, state: .failed)
        outcome.error = error
        relay.send(.ended(outcome))
      }
    }
  }

  // MARK: Limits

  /// Stops like a signal when the run has had its time or its bytes; what is left waits for the next run.
  func watchLimits() async {
    while !Task.isCancelled, !endAtLimit() {
      await executor.sleep(until: MonotonicInstant.now.advanced(by: 20_000_000))
    }
  }

  /// Whether nothing may begin any more.
  @discardableResult
  func endAtLimit() -> Bool {
    if let limitReached { reachLimit(limitReached) }
    return schedule.isClosed
  }

  /// The limit that the run has come to, in words.
  var limitReached: String? {
    if options.hasFailed { return "a file of an earlier manifest failed (--fail-fast)" }
    if let limit = options.maxDuration, MonotonicInstant.now >= begun.advanced(by: limit.inNanoseconds) {
      return "its time is over (--max-duration)"
    }
    if let limit = options.maxBytes, received.value >= limit.bytes {
      return "as much was fetched as may be (--max-bytes)"
    }
    return nil
  }

  func reachLimit(_ reason: String) {
    guard !schedule.isClosed else { return }
    relay.send(.warning(file: nil, "the run stops because \(reason); the next one goes on"))
    close()
  }
}
