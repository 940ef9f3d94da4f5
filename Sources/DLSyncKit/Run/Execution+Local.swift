internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// What the program that a run is part of asks of it, without the detour through the database.
struct LocalDesk {
  /// Requests whose answers nobody fetched yet. Their numbers are below zero: those in the database are above.
  var answers: [Int64: DLSyncError?] = [:]
  var waiting: [Int64: CheckedContinuation<CommandAcceptance, Never>] = [:]
  var lastNumber: Int64 = 0
  /// Whether the run knows its files.
  var isOpen = false
  var beginners: [CheckedContinuation<Void, Never>] = []
}

/// What became of a command right away.
enum CommandAcceptance: Sendable {
  /// It is done, or was refused.
  case answered(DLSyncError?)
  /// Its answer comes when an attempt has ended.
  case later(Int64)
}

extension Execution {
  /// Waits until the run knows its files, or is over.
  func untilUnderWay() async {
    await withCheckedContinuation { continuation in
      if local.isOpen || isOver { continuation.resume() } else { local.beginners.append(continuation) }
    }
  }

  /// Takes commands for tasks, of this run or only of the record. Nil where the run is at its end: then the record is to be
  /// asked, after that end.
  func obey(_ commands: [(command: TaskCommand, id: TaskID)]) async -> [CommandAcceptance]? {
    guard !isOver else { return nil }
    let numbers = commands.map { _ in
      local.lastNumber -= 1
      return local.lastNumber
    }
    obey(zip(numbers, commands).map { TaskRequest(number: $0, task: $1.id, command: $1.command) })
    do throws(DLSyncError) { try await settleDesk() } catch { fail(error) }
    return numbers.map { number in
      local.answers.removeValue(forKey: number).map { CommandAcceptance.answered($0) } ?? .later(number)
    }
  }

  /// The answer to a command that came `later`; still `later` where the run ended first, and the record is to be asked.
  func answer(to number: Int64) async -> CommandAcceptance {
    await withCheckedContinuation { continuation in
      if let answer = local.answers.removeValue(forKey: number) {
        continuation.resume(returning: .answered(answer))
      } else if isOver, !local.isOpen {
        continuation.resume(returning: .later(number))
      } else {
        local.waiting[number] = continuation
      }
    }
  }

  /// How far a file is that runs right now.
  func sample(of task: TaskID) -> ProgressSample? {
    guard let file = index(of: task), let job = jobs[file], job.state == .running else { return nil }
    return job.sample()
  }

  /// Has other settings from now on; those that are fixed while a queue runs stay as they are.
  func reconfigure(_ declaration: QueueDeclaration) {
    queues[declaration.name]?.reconfigure(declaration.configuration)
    schedule.setLimit(declaration.configuration.concurrency, of: declaration.name)
    wakeUp()
  }

  func beginLocalCommands() {
    local.isOpen = true
    for beginner in local.beginners { beginner.resume() }
    local.beginners = []
  }

  /// Nobody waits for an answer of a run that is over.
  func endLocalCommands(_ error: DLSyncError?) {
    local.isOpen = false
    for beginner in local.beginners { beginner.resume() }
    for (number, waiting) in local.waiting {
      waiting.resume(returning: error.map { .answered($0) } ?? .later(number))
    }
    (local.beginners, local.waiting) = ([], [:])
  }

  /// Gives answers to the program's own requests; those that are left are other processes'.
  func answerLocally(_ answers: [TaskAnswer]) -> [TaskAnswer] {
    answers.filter { answer in
      guard answer.number < 0 else { return true }
      if let waiting = local.waiting.removeValue(forKey: answer.number) {
        waiting.resume(returning: .answered(answer.error))
      } else {
        local.answers[answer.number] = .some(answer.error)
      }
      return false
    }
  }

  /// Tells of changes that commands made in the record alone.
  func tell(_ changes: [RecordedChange]) {
    if !changes.isEmpty { onRecord?(changes) }
  }
}
