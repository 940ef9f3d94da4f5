internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What wakes whoever waits for a file to begin.
struct Doorbell {
  var sleeper: CheckedContinuation<Void, Never>?
  /// Whether it rang since `nextFile` last looked.
  var hasRung = false

  mutating func ring() {
    hasRung = true
    sleeper?.resume()
    sleeper = nil
  }
}

/// Whose turn it is: what needs bytes goes into the schedule, and a slot takes one file after another.
extension Execution {
  /// Everything that needs bytes goes into the schedule; copies wait for the file that they are copied from.
  ///
  /// Answers the files that the agent is to fetch; it knows of them when this returns.
  func enlist() async throws(DLSyncError) -> [Int] {
    park()
    var handedOver: [Int] = []
    var ready: [(file: Int, entry: FileEntry)] = []
    for (index, file) in plan.files.enumerated() where !file.isHeld && !refused.contains(index) {
      if isHandedOver(index) {
        handedOver.append(index)
        continue
      }
      if isReady(index, file) { ready.append((index, file.entry)) }
    }
    try await tell(handedOver)
    guard !ready.isEmpty else { return handedOver }
    for (id, standing) in try await store.standings(of: plan.scope) {
      guard let file = index(of: id) else { continue }
      schedule.stand(file, priority: standing.priority, rank: standing.rank)
    }
    schedule.add(ready)
    try await store.logBeginning(of: plan.scope, now: .now)
    return handedOver
  }

  // MARK: The next file

  /// The next file to begin, when there is a slot for it; nil when nothing is left.
  func nextFile() async -> Int? {
    while true {
      bell.hasRung = false
      guard mayTakeMore else {
        await sleepUntilSomethingEnds()
        continue
      }
      switch nextTurn() {
      case .start(let file):
        guard mayBegin(file) else { continue }
        seated(file)
        return file
      case .giveUp(let files): for hopeless in files { giveUp(hopeless.file, hopeless.pause) }
      case .finished where dependents.isEmpty && publishing == 0 && listWaiters.bringers == 0:
        isOver = true
        return nil
      case .finished, .waitForEnd: await sleepUntilSomethingEnds()
      case .waitUntil(let moment): await sleep(until: moment)
      }
    }
  }

  /// Files may be so small that many come between two looks of the watch.
  private func nextTurn() -> Schedule.Next {
    if !schedule.isIdle, let limitReached { reachLimit(limitReached) }
    return schedule.next(.now)
  }

  /// The file that takes the slot which just became free, if there is one.
  private func followingFile() -> Int? {
    while mayTakeMore {
      switch nextTurn() {
      case .start(let file):
        guard mayBegin(file) else { continue }
        seated(file)
        return file
      case .giveUp(let files): for hopeless in files { giveUp(hopeless.file, hopeless.pause) }
      case .waitUntil, .waitForEnd, .finished: return nil
      }
    }
    return nil
  }

  /// Whether another file may begin: not too many are on their way to their names, and the process may open what it needs. One
  /// file at a time may begin in any case.
  private var mayTakeMore: Bool {
    guard publishing < openFiles.publishing else { return false }
    if openFiles.hasRoom(for: mostOpenFiles) { return true }
    if publishing == 0, !jobs.values.contains(where: \.holdsSlot) { return true }
    return openFiles.hasRoom(for: mostOpenFiles, of: ObjectIdentifier(self)) { [weak self] in
      Task { await self?.wakeUp() }
    }
  }

  /// Takes one file after another as far as each gets; a task for each slot costs less than one for each file.
  func performInTurn(from first: Int) async {
    var next: Int? = first
    while let file = next {
      await perform(file)
      next = followingFile()
    }
    wakeUp()
  }

  /// Others may run between the look and this: a call within an actor is a turn of its own where the caller's task prefers
  /// another executor than its thread runs under.
  private func sleepUntilSomethingEnds() async {
    await withCheckedContinuation { continuation in
      if bell.hasRung { continuation.resume() } else { bell.sleeper = continuation }
    }
  }

  private func sleep(until moment: MonotonicInstant) async {
    let timer = Task {
      await executor.sleep(until: moment)
      // Whoever was woken by something else has another timer by now.
      if !Task.isCancelled { wakeUp() }
    }
    await sleepUntilSomethingEnds()
    timer.cancel()
  }

  /// Lets `nextFile` look again.
  func wakeUp() { bell.ring() }
}
