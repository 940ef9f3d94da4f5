import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// Runs something that sends events, and shows them on this thread while it goes on elsewhere.
enum ShownRun {
  static func perform<Value: Sendable>(
    _ context: CommandContext, _ stop: StopRequest, showsEnds: Bool = true,
    _ body: @escaping @concurrent @Sendable (EventMailbox) async -> Value
  ) async -> Value {
    let mailbox = EventMailbox()
    let display = RunDisplay(context, stop, showsEnds: showsEnds)
    let interval = display.interval
    let executor = context.executor
    async let finished = run(mailbox, body)
    async let _: Void = tick(interval, executor, mailbox)
    for await _ in mailbox.wakes {
      display.receive(mailbox.take())
      display.tick(.now)
    }
    display.receive(mailbox.take())
    display.finish()
    return await finished
  }

  @concurrent
  private static func run<Value: Sendable>(
    _ mailbox: EventMailbox, _ body: @concurrent @Sendable (EventMailbox) async -> Value
  ) async -> Value {
    let value = await body(mailbox)
    mailbox.close()
    return value
  }

  /// Wakes the display in equal steps, so that it goes on when no events come. On the display's thread: one that wakes
  /// another costs more than the drawing.
  @concurrent
  private static func tick(_ interval: Duration?, _ executor: ThreadExecutor, _ mailbox: EventMailbox) async {
    guard let interval else { return }
    await withTaskExecutorPreference(executor) {
      while !Task.isCancelled {
        await executor.sleep(until: MonotonicInstant.now.advanced(by: interval.inNanoseconds))
        mailbox.wake()
      }
    }
  }
}
