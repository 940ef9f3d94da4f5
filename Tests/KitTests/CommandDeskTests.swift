import DLSyncModel
import Testing

@testable import DLSyncKit
@testable import DLSyncStore

@Suite struct CommandDeskTests {
  /// The attempt that a request waits for may end while the requests are being read again.
  @Test func aRequestIsObeyedOnceHoweverLateItsAnswerIsWritten() {
    var desk = CommandDesk()
    desk.waiting[3] = [7]
    #expect(desk.isUnderWay(7))
    desk.answerWaiting(for: 3)
    #expect(desk.isUnderWay(7) && !desk.isIdle)
    let request = TaskRequest(number: 8, task: TaskID(value: 1), command: .priority(0.3))
    desk.forRecord.append(request)
    desk.answer(TaskRequest(number: 9, task: TaskID(value: 2), command: .resume))
    #expect(desk.isUnderWay(8) && desk.isUnderWay(9) && !desk.isUnderWay(10))
  }
}
