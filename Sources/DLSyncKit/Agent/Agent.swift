internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// The worker that goes on with what was handed over: one process a state folder. It works from the record alone, runs
/// every background queue that has something to do, takes in what comes meanwhile, and ends when nothing was left for a
/// while. A signal leaves everything resumable.
actor Agent {
  private struct Key: Hashable {
    let scope: Scope
    let queue: QueueName
  }

  /// A queue that runs.
  private struct Running {
    /// Nil while it begins: what is at its destinations is read then, which may take long.
    var run: QueueRunner?
    var handed: Int64
  }

  private let workspace: Workspace
  private let store: Store
  private let lock: QueueLock
  /// What its owner asks, and what its runs are asked.
  private let stop: StopRequest
  private let runStop = StopRequest()
  private let listener: any AgentListener
  private let notifier: ServiceNotifier
  private let transport = CurlTransport()
  private var running: [Key: Running] = [:]
  /// Queues that did not get on, and until when they are left alone; a change of `handed` ends it.
  private var resting: [Key: (handed: Int64, until: MonotonicInstant)] = [:]
  private var version: Int64?
  /// Ends of queues that are being told at this moment.
  private var telling = 0
  /// Whether the log of the database may hold what ended tasks no longer need: header values.
  private var isToPurge = false
  private var idleSince = MonotonicInstant.now

  /// How often the state is looked at, which costs a memory access while nobody has written.
  private static let interval: Int64 = 250_000_000

  init(
    _ workspace: Workspace, _ store: Store, lock: QueueLock, stop: StopRequest, listener: any AgentListener
  ) {
    self.workspace = workspace
    self.store = store
    self.lock = lock
    self.stop = stop
    self.listener = listener
    notifier = ServiceNotifier(environment: workspace.environment)
  }

  /// Runs until nothing was left for `idleExit`, until `stop` is asked, or until the lock is not in its place any more:
  /// another agent may be at work on the same queues.
  func run(idleExit: Duration) async throws(DLSyncError) {
    notifier.ready("waiting for work")
    let place = AgentPlace(stateFolder: workspace.stateFolder)
    var failure: DLSyncError?
    await withDiscardingTaskGroup { group in
      var lastSign = MonotonicInstant.now
      while stop.signal == nil, failure == nil, place.isHeld(by: lock) {
        do throws(DLSyncError) { try await look(&group) } catch {
          // Who writes the state for long, a backup for instance, comes to an end.
          if error.code != .interrupted, error.code != .stateLocked { failure = error }
        }
        if running.isEmpty, telling == 0, MonotonicInstant.now >= idleSince.advanced(by: idleExit.inNanoseconds) {
          break
        }
        if let interval = notifier.watchdogInterval, MonotonicInstant.now.seconds(since: lastSign) >= interval.inSeconds
        {
          notifier.alive()
          lastSign = .now
        }
        if place.rotateLog() { listener.logWasMoved() }
        await purge()
        try? await Task.sleep(for: .nanoseconds(Self.interval))
      }
      notifier.stopping()
      if failure != nil { stop.stop(signal: 15) }
      runStop.stop(signal: stop.signal ?? 15)
    }
    isToPurge = true
    for _ in 0..<20 where isToPurge {
      await purge()
      if isToPurge { try? await Task.sleep(for: .milliseconds(20)) }
    }
    transport.stop()
    if let failure { throw failure }
  }

  /// Looks for queues with something to do, when something may have changed.
  private func look(_ group: inout DiscardingTaskGroup) async throws(DLSyncError) {
    guard let found = try await store.backgroundQueues(since: version) else { return }
    version = found.version
    try await tellEnds(&group)
    for queue in found.queues {
      let key = Key(scope: queue.scope, queue: queue.declaration.name)
      if let known = running[key] {
        guard known.handed != queue.handed else { continue }
        running[key]?.handed = queue.handed
        if let run = known.run { group.addTask { await self.takeMore(run, key) } }
      } else if let rest = resting[key], rest.handed == queue.handed, MonotonicInstant.now < rest.until {
        version = nil
      } else {
        running[key] = Running(run: nil, handed: queue.handed)
        group.addTask { await self.work(on: queue, key) }
      }
    }
    if !running.isEmpty || !found.queues.isEmpty { idleSince = .now }
  }

  /// The ends of queues in which nothing is left, also of those that another agent came to and could not tell any more.
  private func tellEnds(_ group: inout DiscardingTaskGroup) async throws(DLSyncError) {
    for end in try await store.takeEnds() {
      telling += 1
      isToPurge = true
      group.addTask {
        let isTold = await self.listener.queueEnded(QueueEnd(end))
        await self.hasTold(end, isTold)
      }
    }
  }

  private func hasTold(_ end: OwedEnd, _ isTold: Bool) async {
    if !isTold { try? await store.oweAgain(end) }
    telling -= 1
    idleSince = .now
  }

  private func purge() async {
    guard isToPurge, (try? await store.purge()) != false else { return }
    isToPurge = false
  }

  /// One run of a queue.
  private func work(on queue: BackgroundQueue, _ key: Key) async {
    do throws(DLSyncError) {
      guard
        let run = try await QueueRunner.begin(queue, workspace, transport: transport, listener: listener, stop: runStop)
      else {
        // Somebody runs it in a command (--foreground): later.
        return end(key, queue.handed, restingFor: 1)
      }
      showWork()
      let isBehind = running[key]?.handed != queue.handed
      running[key]?.run = run
      // What came since may have come after the record was read.
      async let more: Void = isBehind ? takeMore(run, key) : ()
      let gotOn = await run.run(stop: runStop)
      await more
      isToPurge = true
      // What cannot be gone on with is not tried again in a circle.
      end(key, queue.handed, restingFor: gotOn ? 0 : 30)
    } catch {
      if error.code != .interrupted { listener.queueStoodStill(scope: key.scope, key.queue, error) }
      end(key, queue.handed, restingFor: 30)
    }
  }

  private func takeMore(_ run: QueueRunner, _ key: Key) async {
    do throws(DLSyncError) { try await run.takeMore() } catch {
      // What a run that came to its end did not take is the next one's.
      guard running[key]?.run?.isSame(as: run) == true, error.code != .interrupted else { return }
      listener.queueStoodStill(scope: key.scope, key.queue, error)
    }
  }

  /// `handed` is what the run was begun for: what came since ends the rest.
  private func end(_ key: Key, _ handed: Int64, restingFor seconds: Int64) {
    running[key] = nil
    if seconds > 0 { resting[key] = (handed, MonotonicInstant.now.advanced(by: seconds * 1_000_000_000)) }
    version = nil
    idleSince = .now
    showWork()
  }

  private func showWork() {
    let count = running.count
    notifier.status(count == 0 ? "waiting for work" : "running \(count) queue\(count == 1 ? "" : "s")")
  }
}
