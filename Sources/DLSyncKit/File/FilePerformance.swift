internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// The life of one file: attempts, verification, publishing.
extension Execution {
  /// Takes a file that was given a slot as far as it gets: to its end, or to the wait before its next attempt.
  func perform(_ file: Int) async {
    let job = seated(file)
    if job.needsLists, let pause = pauseOfLists(job.entry) { return postpone(job, pause) }
    if job.plan.reason == .stale { await lookUpResponse(of: job) }
    let end: AttemptEnd
    if job.needsLists, let unlisted = await lookUpChecksums(of: job) {
      end = unlisted
    } else {
      end = await attempt(job)
    }
    giveSlotBack(job)
    if case .verified = end {
      // Bytes that are all there are published: a command that comes so late finds the file busy.
      if job.wish != nil {
        job.wish = nil
        desk.answerWaiting(for: file, TaskCommandJudge.busy(.verifying))
      }
    } else if obeyWish(of: job) {
      return
    }
    switch end {
    case .verified(let fingerprint): publish(job, fingerprint)
    case .unchanged: keep(job)
    case .failed(let error, let retryAfter): settle(job, error, retryAfter: retryAfter)
    case .unlisted(let error): self.end(job, job.outcome(.failed, now: .now, error: error))
    case .stopped:
      leavePart(job)
      self.end(job, job.outcome(.waiting, now: .now))
    }
  }

  func giveSlotBack(_ job: FileJob) {
    schedule.end(job.entry)
    job.giveBack()
  }

  /// Does what a command wanted of a file that had its slot; false where none came.
  func obeyWish(of job: FileJob) -> Bool {
    guard let wish = job.wish else { return false }
    job.wish = nil
    if wish == .waiting { begin(again: job) } else { park(job, as: wish) }
    return true
  }

  /// What a command does with the partial data of a file that it takes out of the run.
  func leavePart(of job: FileJob, keeping: Bool) {
    if keeping, job.resumption.hasPieces, job.part?.hasLostData == false {
      job.part?.keep()
      commanded.reopening.insert(job.file)
    } else {
      job.part?.discard()
    }
    job.part = nil
  }

  /// The job of a file that has its slot. It is there from that moment on: a command may come before the first step.
  @discardableResult
  func seated(_ file: Int) -> FileJob {
    let job = jobs[file] ?? makeJob(file)
    job.take()
    return job
  }

  func makeJob(_ file: Int) -> FileJob {
    let planned = planned(file)
    let job = FileJob(
      file: file, plan: planned, queue: queues[planned.entry.queue]!, received: received, openFiles: openFiles.take(),
      now: .now)
    job.fetchedBytes = commanded.fetchedBefore.removeValue(forKey: file)?.bytes ?? 0
    jobs[file] = job
    return job
  }

  /// Tells and notes that a file goes from one state to another.
  func move(_ job: FileJob, to state: TaskState, error: DLSyncError? = nil, delay: Duration? = nil) {
    relay.send(
      .stateChanged(StateChange(file: job.file, from: job.state, to: state, error: error, delay: delay)))
    job.state = state
  }

  /// After a failed attempt: a mirror, the next attempt, or the end.
  private func settle(_ job: FileJob, _ error: DLSyncError, retryAfter: HostPause?) {
    let now = MonotonicInstant.now
    // One that was not asked has said nothing new: what is left of its pause would begin again with every file.
    if let retryAfter, !error.details.isPostponed { leaveAlone(retryAfter, now) }
    let failed = job.sources.url
    if turn(job, after: error, now) { return }
    // What one server asks for is no matter of another one.
    func pause(_ source: SourceURL) -> Duration { schedule.remainingPause(of: source.host, now)?.length ?? .zero }
    job.sources.begin(pause)
    let leastDelay = job.sources.url == failed ? retryAfter?.length : pause(job.sources.url)
    let told = RetryPolicy.told(error, statusCodes: job.queue.configuration.retry.statusCodes)
    let decision = RetryPolicy().decide(
      job.sources.cause(error), attempt: max(0, job.spentAttempts - job.sources.asides),
      settings: job.queue.configuration.retry, random: .random(in: 0...1), retryAfter: leastDelay)
    let delay: Duration
    switch decision {
    case .retry(let asked) where !schedule.isClosed: delay = asked
    case .retry:
      leavePart(job, after: error)
      return end(job, job.outcome(.waiting, now: now, error: told))
    case .giveUp(let error):
      leavePart(job, after: error)
      return end(job, job.outcome(.failed, now: now, error: job.sources.verdict(error)))
    }
    let next = now.advanced(by: delay.inNanoseconds)
    guard next < job.deadline else {
      leavePart(job)
      return end(job, job.outcome(.failed, now: now, error: error.pastResourceTimeout(job)))
    }
    move(job, to: .retrying, error: told, delay: delay)
    journal.add(.state(job.entry.id, .retrying, error: told), for: job.entry.id)
    hurryJournal()
    schedule.delay(job.file, job.entry, host: job.sources.url.host, until: next, deadline: job.deadline)
  }

  /// Turns to a mirror at once where one may do better.
  func turn(_ job: FileJob, after error: DLSyncError, _ now: MonotonicInstant) -> Bool {
    let failed = job.sources.url
    let told = RetryPolicy.told(error, statusCodes: job.queue.configuration.retry.statusCodes)
    guard job.sources.moveOn(after: told, mayPass: told.isRetryable), !schedule.isClosed, now < job.deadline else {
      return false
    }
    if error.isOfWrongBytes {
      let text = "\"\(failed.shown)\" gave other bytes than it should and is not asked again: \(error.message)"
      job.warnings.append(text)
      relay.send(.warning(file: job.file, text))
    }
    turnPart(of: job, after: error)
    move(job, to: .retrying, error: told, delay: .zero)
    schedule.delay(job.file, job.entry, host: job.sources.url.host, until: now)
    wakeUp()
    return true
  }

  /// The server has nothing newer: the file that is there was never touched.
  private func keep(_ job: FileJob) {
    job.part?.discard()
    guard let file = job.refreshed else { return }
    noteLeaving(job, .completed)
    journal.add(.settled(job.entry.id, file), for: job.entry.id)
    journal.add(.checked(job.entry.id), for: job.entry.id)
    dependents.arrived(job.file, file.identity)
    var outcome = job.outcome(.completed, now: .now)
    outcome.bytes = ByteCount(file.identity.size)
    outcome.fingerprint = file.fingerprint
    outcome.statusCode = outcome.statusCode ?? 304
    end(job, outcome)
  }

  /// The last steps, without a slot: the group publisher makes the file durable under its name.
  private func publish(_ job: FileJob, _ fingerprint: Digest) {
    guard let part = job.part else { return }
    // The server could not say that nothing changed, and nothing did.
    if let file = job.refreshed, file.fingerprint == fingerprint { return keep(job) }
    move(job, to: .publishing)
    noteLeaving(job, .completed)
    let publication = Publication(
      part: part, basis: job.plan.basis, permissions: job.entry.options.permissions, fingerprint: fingerprint,
      modified: job.entry.options.settings.takesServerTime ? job.copiedTime ?? job.response?.modified : nil)
    hand(
      GroupPublisher.Item(
        file: job.file, id: job.entry.id, publication: publication,
        changes: journal.take(job.entry.id) + lastPieces(job, part), isNew: job.plan.reason == .new))
  }

  /// The publisher is through with a file.
  func endPublishing(_ job: FileJob, _ result: Result<PublishedFile, DLSyncError>) async {
    switch result {
    case .success(let file):
      dependents.arrived(job.file, file.identity)
      if let path = job.part?.leftover {
        let text = "the file that \"\(job.entry.destination)\" replaced could not be removed: it lies at \"\(path)\""
        job.warnings.append(text)
        relay.send(.warning(file: job.file, text))
      }
      var outcome = job.outcome(.completed, now: .now)
      outcome.bytes = ByteCount(file.identity.size)
      outcome.fingerprint = file.fingerprint
      end(job, outcome)
      if copies.cache != nil { await keepForOthers(job, file) }
    case .failure(let error):
      job.resumption.confirms = false
      leavePart(job, after: error)
      if error.code.exitStatus == 4 || error.details.isOfRecord { fail(error) }
      end(job, job.outcome(.failed, now: .now, error: error))
    }
  }
}

extension DLSyncError {
  /// The wait that the server asks for, or the next delay, would pass the time that the file may take.
  fileprivate func pastResourceTimeout(_ job: FileJob) -> DLSyncError {
    DLSyncError(
      .resourceTimeout,
      "no time is left for another attempt at \"\(job.entry.url.shown)\": the file may take "
        + "\(job.queue.configuration.timeouts.resource.secondsText) s in all; the last attempt failed because \(message)",
      hint: "raise timeouts.resource of the queue \"\(job.queue.name)\", or apply again later",
      .init(statusCode: details.statusCode, retryAfter: details.retryAfter, underlying: code.text))
  }
}
