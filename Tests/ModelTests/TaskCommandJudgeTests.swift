import DLSyncModel
import Testing

@Suite struct TaskCommandJudgeTests {
  /// For each command: the states that take it, where they lead to (nil: nowhere), and whether partial data is dropped.
  static let table: [(command: TaskCommand, allowed: Set<TaskState>, leadsTo: TaskState?, drops: Bool)] = [
    (.pause, [.waiting, .running, .retrying], .suspended, false),
    (.resume, [.suspended, .failed], .waiting, false),
    (.cancel, [.waiting, .running, .retrying, .suspended, .failed], .canceled, true),
    (.restart, [.suspended, .failed, .canceled], .waiting, true),
    (
      .remove(deletesFile: false), Set(TaskState.allCases).subtracting([.verifying, .publishing, .removed]), .removed,
      true
    ),
    (
      .remove(deletesFile: true), Set(TaskState.allCases).subtracting([.verifying, .publishing, .removed]), .removed,
      true
    ),
    (.priority(0.9), [.waiting, .running, .retrying, .suspended, .failed, .canceled], nil, false),
    (.reorder(rank: 1), Set(TaskState.allCases).subtracting([.verifying, .publishing, .removed]), nil, false),
    (.headers([]), [.suspended, .failed, .canceled], nil, true),
  ]

  @Test(arguments: table.indices) func everyStateAnswersEveryCommandByTheTable(_ row: Int) {
    let (command, allowed, leadsTo, drops) = Self.table[row]
    for state in TaskState.allCases {
      switch TaskCommandJudge().decide(command, state: state, isBackground: true) {
      case .success(let effect):
        #expect(allowed.contains(state), "\(command) in \(state)")
        #expect(effect.state == leadsTo && effect.dropsPartialData == drops, "\(command) in \(state)")
      case .failure(let error):
        #expect(!allowed.contains(state), "\(command) in \(state)")
        let isBusy = state == .verifying || state == .publishing
        #expect((error.code == .taskBusy) == isBusy, "\(command) in \(state)")
      }
    }
  }

  @Test func headersOfForegroundTasksStayWithTheManifest() {
    let answer = TaskCommandJudge().decide(.headers([]), state: .failed, isBackground: false)
    #expect(throws: DLSyncError.self) { try answer.get() }
  }
}
