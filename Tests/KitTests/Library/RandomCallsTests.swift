import DLSyncModel
import DLSyncTestSupport
import DLSyncThreading
import Testing

@testable import DLSyncKit

/// Random calls from several Swift tasks at once, held against the table of states.
///
/// Transfers go on meanwhile, so nobody knows in which state a call finds its task. But every state that the task was in
/// during the call is known from the updates, and one of them must explain the answer.
@Suite(.fewAtOnce) struct RandomCallsTests {
  @Test(.timeLimit(.minutes(1)), arguments: 1...8 as ClosedRange<UInt64>) func everyAnswerFollowsFromTheTable(
    _ seed: UInt64
  ) async throws {
    let play = try await Play(seed: seed)
    await withTaskGroup { group in
      for player in 0..<4 { group.addTask { await play.run(calls: 30, player: player) } }
    }
    try await play.end()
    #expect(play.troubles.isEmpty, "seed \(seed):\n\(play.troubles.joined(separator: "\n"))")
  }
}

/// One queue, its tasks, and everything that was called and told.
private final class Play: Sendable {
  private struct Notes {
    var history = History()
    var troubles: [String] = []
    /// Tasks that may have other headers than they were asked for with.
    var headed: Set<TaskID> = []
  }

  private let seed: UInt64
  private let scene: LibraryScene
  private let manager: DownloadManager
  private let queue: DownloadQueue
  private let updates: DownloadUpdates
  private let requests: [DownloadRequest]
  private let ids: [TaskID]
  private let notes: Locked<Notes>

  var troubles: [String] { notes.withLock { $0.troubles } }

  init(seed: UInt64) async throws {
    self.seed = seed
    scene = try LibraryScene()
    manager = scene.manager()
    queue = try await manager.open(queue: "q") { configuration in
      configuration.concurrency = 2
      configuration.retry.baseDelay = .milliseconds(30)
      configuration.mode = seed.isMultiple(of: 2) ? .background : .foreground
    }
    updates = queue.updates
    let bytes = payload(count: 60_000)
    // Quick ones, slow ones, one that comes at the second attempt, one that never comes, one that never ends.
    requests = try [
      scene.file("quick-1"), scene.file("quick-2"), scene.file("slow-1", .file(bytes).paced(bytesPerSecond: 200_000)),
      scene.file("slow-2", .file(bytes).paced(bytesPerSecond: 100_000)),
      scene.file("again").serving(scene.origin, "/again", [.status(503), .file(bytes)]),
      scene.file("never", .status(404)), scene.slowFile("endless"),
    ]
    var ids: [TaskID] = []
    for request in requests { ids.append(try await queue.download(request).id) }
    self.ids = ids
    notes = Locked(Notes())
  }

  /// One player's calls, one after another.
  func run(calls: Int, player: Int) async {
    var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(player))
    for _ in 0..<calls {
      let place = Int.random(in: 0..<ids.count, using: &generator)
      let call = Call.random(&generator)
      let start = sync()
      let answer = await perform(call, place)
      await judge(call, ids[place], answer, from: start)
      if Bool.random(using: &generator) {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<30, using: &generator)))
      }
    }
  }

  private func perform(_ call: Call, _ place: Int) async -> DLSyncError? {
    do throws(DLSyncError) {
      if case .download = call {
        let task = try await queue.download(requests[place])
        if task.id != ids[place] { note("a second download is another task") }
        return nil
      }
      guard let task = try await queue.task(id: ids[place]) else { return .taskNotFound("") }
      switch call {
      case .download: break
      case .command(.pause): try await task.suspend()
      case .command(.resume): try await task.resume()
      case .command(.cancel): try await task.cancel()
      case .command(.restart): try await task.restart()
      case .command(.remove(let deletes)): try await task.remove(deleteFile: deletes)
      case .command(.priority(let value)): try await task.setPriority(value)
      case .command(.headers(let fields)):
        notes.withLock { _ = $0.headed.insert(task.id) }
        try await task.updateHeaders(fields)
      case .command(.reorder): break
      }
      return nil
    } catch {
      return error
    }
  }

  // MARK: The judge

  /// Reads every update that was told so far. Answers how many there are.
  @discardableResult
  private func sync() -> Int {
    notes.withLock { notes in
      while let update = updates.subscription.box.nextNow() {
        if let trouble = notes.history.add(update) { notes.troubles.append(trouble) }
      }
      return notes.history.count
    }
  }

  private func note(_ trouble: String) { notes.withLock { $0.troubles.append(trouble) } }

  /// What another player's call did may be told a moment after it showed in this answer.
  private func judge(_ call: Call, _ id: TaskID, _ answer: DLSyncError?, from start: Int) async {
    for _ in 0..<50 {
      if isExplained(call, id, answer, from: start) { return }
      try? await Task.sleep(for: .milliseconds(10))
    }
    let states = notes.withLock { $0.history.states(of: id, from: start, to: $0.history.count) }
    note("\(call) of a task in \(states.map(\.rawValue)) was answered with \(answer?.code.text ?? "yes")")
  }

  private func isExplained(_ call: Call, _ id: TaskID, _ answer: DLSyncError?, from start: Int) -> Bool {
    let end = sync()
    return notes.withLock { notes in
      let states = notes.history.states(of: id, from: start, to: end)
      if case .download = call, answer?.code == .duplicateTaskConflict, notes.headed.contains(id) { return true }
      return call.explains(answer, states, isBackground: seed.isMultiple(of: 2))
    }
  }

  // MARK: The end

  /// What is left when everybody has gone: the record, the disk and the updates agree.
  func end() async throws {
    try await queue.cancelAll()
    try await queue.waitUntilFinished()
    sync()
    let snapshots = Dictionary(uniqueKeysWithValues: try await queue.taskSnapshots().map { ($0.id, $0) })
    for (place, id) in ids.enumerated() {
      let told = notes.withLock { $0.history.state(of: id) }
      let recorded = snapshots[id]?.state ?? .removed
      if told != recorded { note("told \(told), recorded \(recorded)") }
      let name = String(requests[place].url.path.dropFirst())
      if recorded == .completed, scene.text(name) == nil { note("\(name) is completed and not there") }
    }
    let parts = scene.folder.files(below: "out").filter { $0.hasSuffix(".part") }
    if !parts.isEmpty { note("left: \(parts)") }
    await manager.close()
  }
}

/// What a player does.
private enum Call {
  case download
  case command(TaskCommand)

  static func random(_ generator: inout SeededGenerator) -> Call {
    switch Int.random(in: 0..<16, using: &generator) {
    case 0, 1, 2: .download
    case 3, 4, 5: .command(.pause)
    case 6, 7, 8: .command(.resume)
    case 9: .command(.cancel)
    case 10, 11: .command(.restart)
    case 12: .command(.remove(deletesFile: Bool.random(using: &generator)))
    case 13, 14: .command(.priority(Double.random(in: 0...1, using: &generator)))
    default: .command(.headers([HeaderField("X-Play", "1")]))
    }
  }

  /// Whether one of the states gives this answer.
  func explains(_ answer: DLSyncError?, _ states: [TaskState], isBackground: Bool) -> Bool {
    guard case .command(let command) = self else { return answer == nil }
    return states.contains { state in
      guard state != .removed else { return answer?.code == .taskNotFound }
      switch TaskCommandJudge().decide(command, state: state, isBackground: isBackground) {
      case .success: return answer == nil
      case .failure(let error): return answer?.code == error.code
      }
    }
  }
}

/// What was told, in its order.
private struct History {
  private var entries: [(id: TaskID, state: TaskState)] = []

  var count: Int { entries.count }

  /// Takes an update; says what is wrong with it.
  mutating func add(_ update: DownloadUpdate) -> String? {
    guard case .state(let id, let state, _) = update else { return nil }
    let before = self.state(of: id)
    entries.append((id, state))
    guard !Self.mayFollow(before, state) else { return nil }
    return "\(id) went from \(before) to \(state): \(entries.filter { $0.id == id }.map(\.state.rawValue))"
  }

  /// The last state; `removed` for a task that is not there yet.
  func state(of id: TaskID) -> TaskState { entries.last { $0.id == id }?.state ?? .removed }

  /// The state at a moment, and all until another.
  func states(of id: TaskID, from start: Int, to end: Int) -> [TaskState] {
    let before = entries[..<start].last { $0.id == id }?.state ?? .removed
    return [before] + entries[start..<end].filter { $0.id == id }.map(\.state)
  }

  /// The arrows between states. Two commands in one breath (resume, then pause) leave out what lies between.
  private static func mayFollow(_ before: TaskState, _ after: TaskState) -> Bool {
    switch after {
    case .waiting: [.removed, .suspended, .failed, .canceled].contains(before)
    case .running: [.waiting, .retrying].contains(before)
    case .retrying: [.running, .verifying].contains(before)
    case .suspended: [.waiting, .running, .retrying, .failed].contains(before)
    case .verifying: before == .running
    case .publishing: before == .verifying
    case .completed: [.publishing, .waiting].contains(before)
    case .failed: [.waiting, .running, .verifying, .publishing].contains(before)
    case .canceled: [.waiting, .running, .retrying, .suspended, .failed].contains(before)
    case .removed: ![.verifying, .publishing, .removed].contains(before)
    }
  }
}
