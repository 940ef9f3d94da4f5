import Glibc

/// A thread that runs the jobs of the actors that name it as their executor, one after another, and in between lets its
/// driver work and wait.
///
/// One resource that blocks or is not thread-safe (the curl multi handle, the database connection, publishing) belongs to
/// one such thread, so Swift's cooperative pool never blocks.
package final class ThreadExecutor: SerialExecutor, TaskExecutor {
  private struct Inbox {
    var jobs: [UnownedJob] = []
    var timers = TimerQueue()
    var isStopped = false
  }

  private let inbox = Locked(Inbox())
  private let driver: any ExecutorDriver
  private let threadID = Locked<pthread_t?>(nil)

  /// Starts the thread. `name` is what tools show, at most 15 bytes.
  package init(name: String, driver: any ExecutorDriver = WaitingDriver()) {
    self.driver = driver
    let start = Unmanaged.passRetained(Start(executor: self, name: name))
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, threadMain, start.toOpaque())
    if status != 0 {
      // Nothing can go on without it, and a precondition of a release build would die without a word.
      fatalError("a thread could not be started: \(String(cString: strerror(status))); see ulimit -u and -v")
    }
    pthread_detach(thread)
  }

  /// Runs what reads or waits for long on a thread of its own, which ends with it: Swift's pool goes on with the rest.
  package static func withThread<Value: Sendable, Failure: Error>(
    named name: String, _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let executor = ThreadExecutor(name: name)
    defer { executor.stop() }
    return try await withTaskExecutorPreference(executor) { () async throws(Failure) -> Value in try await work() }
  }

  /// Ends the thread when the jobs that it has are done. Jobs that come later never run.
  package func stop() {
    inbox.withLock { $0.isStopped = true }
    driver.wake()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrentThread {
      inbox.withLock { $0.jobs.append(job) }
      return driver.noteJob()
    }
    // The job may be the last that anybody wants of this executor, and over before this is.
    let own = Unmanaged.passRetained(self)
    defer { own.release() }
    let wasEmpty = inbox.withLock { inbox in
      inbox.jobs.append(job)
      return inbox.jobs.count == 1
    }
    if wasEmpty { driver.wake() }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func checkIsolated() { precondition(isCurrentThread, "not on the executor's own thread") }

  /// Whether the caller is the executor's thread.
  package var isCurrentThread: Bool { threadID.withLock { $0 } == pthread_self() }

  /// Suspends the caller until the moment has come, or until its task is cancelled. No thread waits for it.
  package func sleep(until deadline: MonotonicInstant) async {
    let id = inbox.withLock { $0.timers.makeID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLate = inbox.withLock { !$0.timers.add(id, deadline, continuation) }
        if isLate { continuation.resume() } else if !isCurrentThread { driver.wake() }
      }
    } onCancel: {
      let waiting = inbox.withLock { $0.timers.cancel(id) }
      waiting?.resume()
    }
  }

  fileprivate func run() {
    threadID.withLock { $0 = pthread_self() }
    while true {
      let (jobs, due, isStopped) = inbox.withLock { inbox -> ([UnownedJob], [CheckedContinuation<Void, Never>], Bool) in
        defer { inbox.jobs.removeAll(keepingCapacity: true) }
        let due = inbox.timers.isEmpty ? [] : inbox.timers.takeDue(.now)
        return (inbox.jobs, due, inbox.isStopped)
      }
      for continuation in due { continuation.resume() }
      // Both names: a task that prefers this thread goes on at once when it enters one of its actors. With the serial one
      // alone the runtime takes each such call for a change of threads and sends it through the inbox.
      for job in jobs {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
      if jobs.isEmpty, due.isEmpty, isStopped { return }
      driver.turn(timeout: isStopped ? .zero : timeUntilNextWork())
    }
  }

  private func timeUntilNextWork() -> Duration? {
    inbox.withLock { inbox in
      guard inbox.jobs.isEmpty, !inbox.isStopped else { return .zero }
      guard let next = inbox.timers.next else { return nil }
      return .nanoseconds(max(0, next.nanoseconds - MonotonicInstant.now.nanoseconds))
    }
  }
}

private final class Start: Sendable {
  let executor: ThreadExecutor
  let name: String
  init(executor: ThreadExecutor, name: String) {
    self.executor = executor
    self.name = name
  }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
  // Signals are for the main thread; a signal here would interrupt a system call for nothing.
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, nil)
  nameThread(start.name)
  start.executor.run()
  return nil
}

/// What tools show of the calling thread. `pthread_setname_np` is hidden from Swift; the kernel's own file does the same.
private func nameThread(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return }
  var name = name
  _ = name.withUTF8 { write(file, $0.baseAddress, min(15, $0.count)) }
  close(file)
}
