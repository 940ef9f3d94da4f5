import DLSyncThreading
import Testing

/// How tasks get along on a thread of their own.
struct ThreadExecutorTests {
  /// Counts how often the thread looks for more to do.
  private final class CountingDriver: ExecutorDriver {
    let turns = Counter()
    private let waiting = WaitingDriver()

    func turn(timeout: Duration?) {
      turns.add(1)
      waiting.turn(timeout: timeout)
    }

    func wake() { waiting.wake() }

    func noteJob() { waiting.noteJob() }
  }

  private actor Worker {
    nonisolated let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var steps = 0

    init(_ executor: ThreadExecutor) { self.executor = executor }

    func run(_ count: Int) async -> Int {
      for _ in 0..<count { await step() }
      return steps
    }

    private func step() async { steps += 1 }
  }

  @Test func aTaskThatPrefersTheThreadCallsItsActorsAtOnce() async {
    let driver = CountingDriver()
    let worker = Worker(ThreadExecutor(name: "counted", driver: driver))
    defer { worker.executor.stop() }
    let steps = await withTaskExecutorPreference(worker.executor) { await worker.run(1000) }
    #expect(steps == 1000)
    #expect(driver.turns.value < 100)
  }

  @Test func whatIsEnqueuedMeanwhileRuns() async {
    let worker = Worker(ThreadExecutor(name: "shared"))
    defer { worker.executor.stop() }
    await withDiscardingTaskGroup { group in
      for index in 0..<64 {
        if index.isMultiple(of: 2) {
          group.addTask(executorPreference: worker.executor) { _ = await worker.run(50) }
        } else {
          group.addTask { _ = await worker.run(50) }
        }
      }
    }
    #expect(await worker.run(0) == 64 * 50)
  }
}
