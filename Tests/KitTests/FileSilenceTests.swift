import DLSyncModel
import DLSyncTestSupport
import DLSyncTestTransport
import DLSyncThreading
import DLSyncTransfer
import Testing

@testable import DLSyncKit

/// For how long nothing may come of a file over several connections.
@Suite struct FileSilenceTests {
  /// One look a second: bytes so far, and what the connections do.
  private static func length(after looks: [(Int64, [Silence])]) -> Double {
    var silence = FileSilence(from: MonotonicInstant(nanoseconds: 0))
    for (second, look) in looks.enumerated() {
      silence.look(bytes: look.0, look.1, MonotonicInstant(nanoseconds: Int64(second + 1) * 1_000_000_000))
    }
    return Double(silence.length) / 1e9
  }

  @Test func onlySecondsInWhichSomethingWasAwaitedCount() {
    #expect(Self.length(after: [(1, [.awaited]), (1, [.awaited]), (1, [.awaited, .noneExpected])]) == 2)
    #expect(Self.length(after: [(1, [.awaited]), (1, [.awaited]), (2, [.awaited])]) == 0)
    #expect(Self.length(after: [(1, [.awaited]), (1, [.noneExpected]), (1, [])]) == 0, "in line, or connecting")
    #expect(Self.length(after: [(1, [.awaited]), (1, [.awaited]), (1, [.awaited, .heldBack])]) == 0)
    #expect(Self.length(after: [(5, [.awaited]), (3, [.awaited]), (4, [.awaited])]) == 2, "no byte comes twice")
  }

  @Test func aResponseEndsItUnlessConnectionsWereGivenUp() {
    var silence = FileSilence(from: MonotonicInstant(nanoseconds: 0))
    func second(_ second: Int64, _ bytes: Int64 = 0) {
      silence.look(bytes: bytes, [.awaited], MonotonicInstant(nanoseconds: second * 1_000_000_000))
    }
    second(1)
    silence.noteResponse()
    #expect(silence.length == 0)
    second(2)
    silence.noteRevival()
    silence.noteResponse()
    second(3)
    #expect(silence.length == 2_000_000_000)
    second(4, 1)
    second(5, 1)
    silence.noteResponse()
    #expect(silence.length == 0, "bytes clear it of the doubt")
  }

  @Test func timeThatNobodyLookedIsNobodysSilence() {
    var silence = FileSilence(from: MonotonicInstant(nanoseconds: 0))
    silence.look(bytes: 0, [.awaited], MonotonicInstant(nanoseconds: 3_600_000_000_000))
    #expect(silence.length <= 2_000_000_000)
  }

  @Test(.timeLimit(.minutes(1))) func aFileEndsWhenAllItsConnectionsAreSilent() async throws {
    let data = payload(count: 1 << 20, seed: 31)
    let file = try ScriptedFile(data) { request, _ in
      ScriptedFile.answer(data, request.range, ending: .silence, only: 50_000)
    }
    let begun = MonotonicInstant.now
    let (end, _) = await file.fetch(connections: 4, silence: .seconds(2))
    #expect(end.error?.code == .timedOut)
    #expect(MonotonicInstant.now.seconds(since: begun) < 10)
  }
}
