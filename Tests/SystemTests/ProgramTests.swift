import DLSyncSystem
import DLSyncThreading
import Glibc
import Testing

@Suite struct ProgramTests {
  private let executor = ThreadExecutor(name: "programs")
  private static let environment = ["PATH": "/usr/bin:/bin", "WORD": "word"]

  private func answer(_ words: String..., limit: Duration = .seconds(20)) async -> (end: Program.End, text: String) {
    await Program(words: words, environment: Self.environment).answer(limit: limit, executor: executor)
  }

  @Test func answerIsWhatItPrintsAndHowItEnds() async {
    defer { executor.stop() }
    let plain = await answer("sh", "-c", "echo $WORD$HOME; echo other >&2; exit 3")
    #expect(plain.end == .exited(3) && plain.text == "word\n")
    let killed = await answer("sh", "-c", "kill -9 $$")
    #expect(killed.end == .signaled(9))
    let absent = await answer("no-such-program-of-ours")
    #expect(absent.end == .notStarted(SystemTrouble(ENOENT)))
  }

  @Test func whatNobodyCanTellIsNoSuccess() {
    // No process is its own child, which is what the system says of one whose end it forgot, too.
    #expect(Program.end(of: getpid()) == .unknown)
  }

  @Test func nothingIsReadByAShell() async {
    defer { executor.stop() }
    #expect(await answer("printf", "%s", "$(id) ; `id` *").text == "$(id) ; `id` *")
  }

  @Test func whatTakesTooLongIsEndedWithAllThatItStarted() async {
    defer { executor.stop() }
    let begun = MonotonicInstant.now
    let result = await answer("sh", "-c", "sleep 60 & sleep 60", limit: .milliseconds(100))
    #expect(result.end == .tookTooLong)
    #expect(MonotonicInstant.now.seconds(since: begun) < 20)
  }

  @Test func cancelledTaskWaitsForNoProgram() async {
    defer { executor.stop() }
    let task = Task { await answer("sleep", "60") }
    task.cancel()
    #expect(await task.value.end == .stopped)
  }
}
