internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// Obeys commands from other terminals while this process holds the locks of queues and runs nothing of them: while a run
/// is planned, which may take as long as reading terabytes, and after its last transfer. What is asked is carried out on the
/// record; whoever decides from that looks at `changes` before and after.
actor RecordDesk {
  private let store: Store
  private let scope: Scope
  private let queues: Set<QueueName>
  /// Who is told what became of tasks.
  private let onRecord: (@Sendable ([RecordedChange]) -> Void)?
  private var version: Int64?
  /// Answers to what was carried out that could not be written yet.
  private var owed: [TaskAnswer] = []
  /// How many commands came so far. One that is refused may have been carried out by who asks, who looked before this
  /// process had the lock.
  private(set) var changes = 0

  /// As often as a run that is under way.
  private static let interval = Duration.milliseconds(125)

  init(
    store: Store, scope: Scope, queues: Set<QueueName>, onRecord: (@Sendable ([RecordedChange]) -> Void)? = nil
  ) {
    self.store = store
    self.scope = scope
    self.queues = queues
    self.onRecord = onRecord
  }

  /// Obeys while something else goes on, which must not keep this task's thread to itself.
  nonisolated func attending<Value: Sendable, Failure: Error>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    async let _: Void = attend()
    return try await work()
  }

  /// Until the task is cancelled. What is under way then comes to its end first.
  private func attend() async {
    while !Task.isCancelled {
      // A record that cannot be used is for the run to tell, which needs it next.
      try? await look()
      try? await Task.sleep(for: Self.interval)
    }
  }

  func look() async throws(DLSyncError) {
    try await answer()
    guard let batch = try await store.requests(of: scope, queues, since: version, now: .now) else { return }
    let outcomes = try await RecordCommands(batch.requests.map { ($0.command, $0.task) }).carryOut(store)
    changes += outcomes.count
    onRecord?(outcomes.compactMap(\.change))
    owed = zip(batch.requests, outcomes).map { TaskAnswer(number: $0.number, error: $1.error) }
    try await answer()
    version = batch.version
  }

  private func answer() async throws(DLSyncError) {
    guard !owed.isEmpty else { return }
    try await store.answer(owed, now: .now)
    owed = []
  }
}
