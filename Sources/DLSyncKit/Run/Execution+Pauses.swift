internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// Hosts that asked to be left alone (`Retry-After`): nobody asks them before their time, by whatever way a file leads there.
extension Execution {
  /// Nobody asks the host for anything before its time. The one of the entry is another where it led elsewhere.
  func leaveAlone(_ pause: HostPause, _ now: MonotonicInstant) {
    schedule.hold(
      host: pause.host, until: now.advanced(by: pause.length.inNanoseconds), statusCode: pause.statusCode)
  }

  /// How much longer a host is to be left alone, for who is on the transfer thread.
  var remainingPause: @Sendable (String) -> HostPause? {
    { [self] host in assumeIsolated { $0.schedule.remainingPause(of: host, .now) } }
  }

  /// The longest pause of a host that a file's list of checksums is to be asked of.
  func pauseOfLists(_ entry: FileEntry) -> HostPause? {
    lists.hosts(for: entry).compactMap { schedule.remainingPause(of: $0, .now) }.max { $0.length < $1.length }
  }

  /// Gives the slot of a file back that cannot begin before a host may be asked.
  func postpone(_ job: FileJob, _ pause: HostPause) {
    giveSlotBack(job)
    if obeyWish(of: job) { return }
    if schedule.isClosed {
      leavePart(job)
      return end(job, job.outcome(.waiting, now: .now))
    }
    let until = MonotonicInstant.now.advanced(by: pause.length.inNanoseconds)
    guard until < job.deadline else { return giveUp(job.file, pause) }
    schedule.delay(job.file, job.entry, host: job.sources.url.host, until: until, deadline: job.deadline)
    wakeUp()
  }

  /// A file that cannot begin in time: its host is to be left alone for longer than the file may take. A mirror may serve.
  func giveUp(_ file: Int, _ pause: HostPause) {
    let job = jobs[file] ?? makeJob(file)
    let error = HTTPFailure.postponed(job.sources.url, pause)
    if turn(job, after: error, .now) { return }
    leavePart(job)
    end(job, job.outcome(.failed, now: .now, error: error.beyondResourceTimeout(job)))
  }
}

extension DLSyncError {
  /// The same of a file that may not wait for so long.
  fileprivate func beyondResourceTimeout(_ job: FileJob) -> DLSyncError {
    DLSyncError(
      .resourceTimeout,
      "\(message), and the file may take \(job.queue.configuration.timeouts.resource.secondsText) s in all",
      hint: "raise timeouts.resource of the queue \"\(job.queue.name)\", or apply again later",
      .init(statusCode: details.statusCode, retryAfter: details.retryAfter, underlying: code.text))
  }
}
