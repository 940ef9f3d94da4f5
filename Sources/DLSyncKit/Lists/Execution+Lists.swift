internal import DLSyncModel
internal import DLSyncThreading

/// Lists of checksums come before the files that need them, and hold no slot.
extension Execution {
  /// Whether a file may begin that just got a slot. One that needs lists which are yet to come gives it back until then.
  func mayBegin(_ file: Int) -> Bool {
    let entry = (jobs[file]?.plan ?? planned(file)).entry
    guard entry.options.listMark != 0, jobs[file]?.listedDigests == nil, let queue = queues[entry.queue] else {
      return true
    }
    let marks = lists.missing(for: entry)
    // A file whose list's host is to be left alone knows what to do about that.
    guard !marks.isEmpty, pauseOfLists(entry) == nil else { return true }
    schedule.end(entry)
    listWaiters.add(file, marks)
    for host in lists.enlist(marks, for: queue) {
      listWaiters.bringers += 1
      Task(executorPreference: executor) { await self.bringLists(of: host) }
    }
    return false
  }

  private func bringLists(of host: String) async {
    while let mark = await lists.bringNext(of: host) {
      let files = listWaiters.arrived(mark)
      if !files.isEmpty, !schedule.isClosed {
        schedule.add(files.map { ($0, (jobs[$0]?.plan ?? planned($0)).entry) })
      }
      wakeUp()
    }
    listWaiters.bringers -= 1
    wakeUp()
  }
}
