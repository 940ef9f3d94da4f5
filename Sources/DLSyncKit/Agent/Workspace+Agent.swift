internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import Glibc

extension Workspace {
  private var place: AgentPlace { AgentPlace(stateFolder: stateFolder) }

  /// Whether background queues run in the command itself (`DLSYNC_FOREGROUND=1`).
  public var prefersForeground: Bool { environment["DLSYNC_FOREGROUND"] == "1" }

  /// What is known of the agent. Changes nothing.
  public func agentStatus() async throws(DLSyncError) -> AgentStatus {
    var hasWork = false
    if let store = try await Store.open(folder: stateFolder, access: .read) {
      hasWork = try await store.hasBackgroundWork()
      await store.close()
    }
    return AgentStatus(process: place.process, isStopped: place.isStopped, hasWork: hasWork, log: place.log)
  }

  /// Is the agent until nothing was left for `idleExit`, or until `stop` is asked. False when another process is it already.
  public func runAgent(
    idleExit: Duration, stop: StopRequest, listener: any AgentListener
  ) async throws(DLSyncError) -> Bool {
    guard let store = try await Store.open(folder: stateFolder, access: .write) else { return false }
    while true {
      let lock: QueueLock
      let isFirst = !place.hasLockFile
      do throws(DLSyncError) { lock = try place.take() } catch {
        guard error.code == .stateLocked else { throw error }
        // A service manager is to see that all is well, not a service that never came up.
        ServiceNotifier(environment: environment).ready("another process is the agent")
        await store.close()
        return false
      }
      if isFirst { await giveTime(store) }
      do throws(DLSyncError) {
        try await Agent(self, store, lock: lock, stop: stop, listener: listener).run(idleExit: idleExit)
        lock.release()
      } catch {
        lock.release()
        throw error
      }
      // Whoever handed over while the lock was held counts on this process.
      let hasWork = try await store.hasBackgroundWork()
      guard stop.signal == nil, hasWork else { break }
      try? await Task.sleep(for: .seconds(1))
    }
    await store.close()
    return true
  }

  /// Where the lock file was taken away from an agent that is at work, it has to see that first, and to write its record.
  private func giveTime(_ store: Store) async {
    let scopes = (try? await store.backgroundQueues().map(\.scope)) ?? []
    let tasks = scopes.isEmpty ? [] : (try? await store.taskSnapshots(of: Array(Set(scopes)))) ?? []
    guard tasks.contains(where: { $0.isBackground && $0.state.isOnItsWay && $0.state != .waiting }) else { return }
    try? await Task.sleep(for: .milliseconds(600))
  }

  /// Starts the agent unless it runs, and waits until it does. Answers its process. `idleExit` is when one that is started
  /// ends for want of work, in whole milliseconds; nil for the usual time.
  @discardableResult
  public func startAgent(idleExit: Duration? = nil) async throws(DLSyncError) -> Int32? {
    // The state must be there for the agent's lock to lie in.
    await (try Store.open(folder: stateFolder, access: .write))?.close()
    try place.setStopped(false)
    try launch(idleExit: idleExit)
    return await waitForAgent { $0 != nil }
  }

  /// Asks the agent to stop, and waits for its end. It is not started again before somebody asks for it. Answers the
  /// process that was stopped, or nil where none ran.
  public func stopAgent() async throws(DLSyncError) -> Int32? {
    guard access(stateFolder, F_OK) == 0 else { return nil }
    try place.setStopped(true)
    guard let process = place.process else { return nil }
    kill(process, SIGTERM)
    guard await waitForAgent({ $0 != process }) != process else {
      throw DLSyncError(
        .stateLocked, "the agent, process \(process), has not ended within 15 s", hint: "look at \"\(place.log)\"")
    }
    return process
  }

  /// Starts the agent where it has something to do, nobody stopped it, and this process may.
  func wakeAgent(_ store: Store) async {
    AgentLauncher.reap()
    guard launchesAgent, !prefersForeground, place.process == nil, !place.isStopped,
      (try? await store.hasBackgroundWork()) == true
    else { return }
    try? launch()
  }

  /// After work was handed over. What an earlier `agent stop` said does not count any more.
  func startAgentForWork() throws(DLSyncError) {
    try place.setStopped(false)
    guard launchesAgent, place.process == nil else { return }
    try launch()
  }

  /// Whether the agent runs.
  var hasAgent: Bool { place.process != nil }

  /// Whether the agent runs, or nothing keeps it from running.
  var isServed: Bool {
    AgentLauncher.reap()
    return hasAgent || launchesAgent && !prefersForeground && !place.isStopped
  }

  private func launch(idleExit: Duration? = nil) throws(DLSyncError) {
    guard place.process == nil else { return }
    var environment = environment
    // The agent keeps what this command keeps.
    environment[Self.cacheVariable] = cacheFolder ?? "off"
    try AgentLauncher(place: place, environment: environment, idleExit: idleExit).start()
  }

  private func waitForAgent(_ isRight: (Int32?) -> Bool) async -> Int32? {
    for _ in 0..<750 {
      let process = place.process
      if isRight(process) { return process }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return place.process
  }
}
