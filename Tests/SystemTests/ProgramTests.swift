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

  /// A stream may have a number where another one is to be.
  @Test func streamsMayChangePlaces() async throws {
    defer { executor.stop() }
    var template = Array("/tmp/dlsync-streams-XXXXXX".utf8CString)
    let own = mkstemp(&template)
    try #require(own > 2)
    defer { close(own) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    let places = "found=$(readlink /proc/$$/fd/0 /proc/$$/fd/1); echo \"$found\" > \(path)"
    let program = Program(words: ["sh", "-c", places], environment: Self.environment)
    let end = await program.run(.init(input: 1, output: 0), limit: .seconds(20), executor: executor)
    #expect(end == .exited(0))
    var text = [UInt8](repeating: 0, count: 4096)
    let count = pread(own, &text, text.count, 0)
    let found = String(decoding: text[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(found == [Self.target(1), Self.target(0)])
  }

  private static func target(_ descriptor: Int32) -> String {
    var text = [UInt8](repeating: 0, count: 4096)
    let count = text.withUnsafeMutableBytes {
      readlink("/proc/self/fd/\(descriptor)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return String(decoding: text[..<max(0, count)], as: UTF8.self)
  }

  @Test func cancelledTaskWaitsForNoProgram() async {
    defer { executor.stop() }
    let task = Task { await answer("sleep", "60") }
    task.cancel()
    #expect(await task.value.end == .stopped)
  }
}
