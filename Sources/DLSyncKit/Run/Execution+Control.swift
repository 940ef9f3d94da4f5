internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What commands from other terminals ask of running files.
struct CommandDesk {
  /// Requests whose answer waits for the end of an attempt, by file.
  var waiting: [Int: [Int64]] = [:]
  /// Requests for files that an earlier one is still about to change.
  var deferred: [TaskRequest] = []
  /// Answers that are ready.
  var answers: [TaskAnswer] = []
  /// Commands that are carried out on the record after what happened here is written.
  var forRecord: [TaskRequest] = []
  /// Tasks whose partial data is to go.
  var dropped: [Int] = []
  /// How many commands came that are the record's alone.
  var recordChanges = 0
  /// Answers are given one batch after another.
  let settling = Gate()

  var isIdle: Bool { waiting.isEmpty && answers.isEmpty && deferred.isEmpty }

  /// Whether a request was taken up already: it is in the record until its answer is, which may be ready and unwritten.
  func isUnderWay(_ number: Int64) -> Bool {
    waiting.values.contains { $0.contains(number) } || answers.contains { $0.number == number }
      || forRecord.contains { $0.number == number } || deferred.contains { $0.number == number }
  }

  mutating func takeDeferred() -> [TaskRequest] {
    defer { deferred = [] }
    return deferred
  }

  mutating func answer(_ request: TaskRequest, _ error: DLSyncError? = nil) {
    answers.append(TaskAnswer(number: request.number, error: error))
  }

  /// The attempt that requests waited for is at its end.
  mutating func answerWaiting(for file: Int, _ error: DLSyncError? = nil) {
    for number in waiting.removeValue(forKey: file) ?? [] { answers.append(TaskAnswer(number: number, error: error)) }
  }
}

/// Commands from other terminals, while the run goes on: looked for eight times a second, which costs next to nothing while
/// nobody else writes to the state.
extension Execution {
  private static let interval: Int64 = 125_000_000
  /// While an answer waits for an attempt that ends at this moment.
  private static let shortInterval: Int64 = 20_000_000

  func obeyCommands() async {
    var version: Int64?
    while !Task.isCancelled {
      if turnstile?.tryEnter() ?? true {
        defer { turnstile?.leave() }
        do throws(DLSyncError) {
          if let batch = try await store.requests(of: plan.scope, ownQueues, since: version, now: .now) {
            version = batch.version
            desk.deferred += batch.requests.filter { !desk.isUnderWay($0.number) }
          }
          obey(desk.takeDeferred())
          try await settleDesk()
        } catch {
          fail(error)
        }
      }
      let pause = desk.isIdle ? Self.interval : Self.shortInterval
      await executor.sleep(until: MonotonicInstant.now.advanced(by: pause))
    }
  }

  /// Writes what commands changed, then carries out what is the record's alone, then answers.
  ///
  /// One after another: who comes last finds everything answered.
  func settleDesk() async throws(DLSyncError) {
    await desk.settling.enter()
    defer { desk.settling.leave() }
    guard !desk.answers.isEmpty || !desk.forRecord.isEmpty || !desk.dropped.isEmpty else { return }
    let work = desk
    (desk.answers, desk.forRecord, desk.dropped) = ([], [], [])
    do throws(DLSyncError) {
      try await flushJournal()
      if !work.dropped.isEmpty { await copies.thread.removePartialData(of: work.dropped.map { plan.files[$0].entry }) }
      let outcomes = try await RecordCommands(work.forRecord.map { ($0.command, $0.task) }).carryOut(store)
      desk.recordChanges += outcomes.count
      tell(outcomes.compactMap(\.change))
      let answers = zip(work.forRecord, outcomes).map { TaskAnswer(number: $0.number, error: $1.error) }
      try await store.answer(answerLocally(work.answers + answers), now: .now)
    } catch {
      let numbers = work.answers.map(\.number) + work.forRecord.map(\.number)
      _ = answerLocally(numbers.map { TaskAnswer(number: $0, error: error) })
      throw error
    }
  }

  func obey(_ requests: [TaskRequest]) {
    guard !requests.isEmpty else { return }
    for request in requests {
      if let file = index(of: request.task), desk.waiting[file] != nil {
        // What that makes of the task decides what this one may do.
        desk.deferred.append(request)
        continue
      }
      guard let file = index(of: request.task),
        let state = jobs[file]?.state ?? heldState(file) ?? (isWaiting(file) ? .waiting : nil)
      else {
        desk.forRecord.append(request)
        continue
      }
      switch TaskCommandJudge().decide(request.command, state: state, isBackground: isOfBackground(file)) {
      case .failure(let error): desk.answer(request, error)
      case .success(let effect): obey(request, effect, file)
      }
    }
    wakeUp()
  }

  private func obey(_ request: TaskRequest, _ effect: TaskEffect, _ file: Int) {
    switch request.command {
    case .pause, .cancel, .remove:
      guard let state = effect.state else { return }
      if let job = jobs[file], job.holdsSlot {
        job.wish = state
        job.cancel.cancel()
        desk.waiting[file, default: []].append(request.number)
        return
      }
      withdraw(file, to: state)
      desk.answer(request)
    case .resume, .restart:
      release(file, dropsPartialData: effect.dropsPartialData)
      desk.answer(request)
    case .priority(let value):
      schedule.stand(file, priority: value, rank: nil)
      desk.forRecord.append(request)
    case .reorder(let rank):
      schedule.stand(file, priority: nil, rank: rank)
      desk.forRecord.append(request)
    case .headers(let fields):
      let planned = planned(file)
      commanded.revised[file] = planned.withEntry(planned.entry.withHeaders(fields))
      desk.dropped.append(file)
      desk.forRecord.append(request)
    }
  }

  private func isOfBackground(_ file: Int) -> Bool {
    isAgents && queues[plan.files[file].entry.queue]?.configuration.mode == .background
  }

  /// A file that does not run leaves the run.
  private func withdraw(_ file: Int, to state: TaskState) {
    if let job = jobs[file] { return park(job, as: state) }
    schedule.remove(file)
    dependents.remove(file)
    listWaiters.remove(file)
    let from = commanded.parked[file]?.state ?? .waiting
    relay.send(.stateChanged(StateChange(file: file, from: from, to: state)))
    // What the plan held back is counted there, whatever becomes of it.
    let isNew = commanded.parked[file] == nil || commanded.parked[file]?.outcome != nil
    commanded.parked[file] = ParkedFile(
      state: state, outcome: isNew ? FileOutcome(file: file, from: state, state: state) : nil)
    record(file, state)
    releaseDependents(of: file)
  }

  /// The attempt of a file that is to leave the run has ended, or it waits for its next one.
  func park(_ job: FileJob, as state: TaskState) {
    jobs[job.file] = nil
    releaseSpace(of: job)
    schedule.remove(job.file)
    listWaiters.remove(job.file)
    leavePart(of: job, keeping: state == .suspended)
    move(job, to: state)
    commanded.parked[job.file] = ParkedFile(state: state, outcome: job.outcome(state, now: .now))
    record(job.file, state)
    releaseDependents(of: job.file)
    desk.answerWaiting(for: job.file)
    wakeUp()
  }

  private func record(_ file: Int, _ state: TaskState) {
    let id = plan.files[file].entry.id
    if state != .suspended {
      journal.add(.piecesDropped(id), for: id)
      desk.dropped.append(file)
    }
    journal.add(.state(id, state, error: nil), for: id)
  }

  /// A parked file is back among those that wait.
  private func release(_ file: Int, dropsPartialData: Bool) {
    guard let parked = commanded.parked.removeValue(forKey: file) else { return }
    let id = plan.files[file].entry.id
    if dropsPartialData {
      journal.add(.piecesDropped(id), for: id)
      desk.dropped.append(file)
      commanded.reopening.remove(file)
      commanded.revised[file] = planned(file).beginningAnew
    }
    journal.add(.state(id, .waiting, error: nil), for: id)
    commanded.fetchedBefore[file] = parked.outcome?.fetchedBytes
    relay.send(.stateChanged(StateChange(file: file, from: parked.state, to: .waiting)))
    guard !schedule.isClosed else { return }
    let planned = planned(file)
    lists.renew(for: planned.entry, .now)
    if let source = planned.copyOf, jobs[source] != nil || isWaiting(source) {
      dependents.add(file, on: source)
    } else {
      schedule.add([(file, planned.entry)])
    }
  }

  /// Files that are still out of the run at its end are told of.
  func endParked() {
    for (_, file) in commanded.parked.sorted(by: { $0.key < $1.key }) {
      if let outcome = file.outcome { relay.send(.ended(outcome)) }
    }
  }

  /// Files that the plan holds back may come into the run by a command.
  func park() {
    for (index, file) in plan.files.enumerated() where file.isHeld && file.action == .download {
      switch file.reason {
      case .suspended: commanded.parked[index] = ParkedFile(state: .suspended)
      case .canceled: commanded.parked[index] = ParkedFile(state: .canceled)
      default: break
      }
    }
  }

  /// The plan's file of a task. The table is made with the first command.
  func index(of task: TaskID) -> Int? {
    if fileByTask.isEmpty {
      for (index, file) in plan.files.enumerated() { fileByTask[file.entry.id] = index }
    }
    return fileByTask[task]
  }
}
