internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncTransfer

/// The open queues of a manager, and the one connection pool that they share.
actor OpenQueues {
  /// Opening is one after another.
  nonisolated let gate = Gate()
  private let workspace: Workspace
  private let scope: Scope
  private var sessions: [QueueName: QueueSession] = [:]
  private var transport: CurlTransport?

  init(_ workspace: Workspace, _ scope: Scope) {
    self.workspace = workspace
    self.scope = scope
  }

  /// The session of a queue that is open.
  func session(_ name: QueueName) async -> QueueSession? {
    guard let session = sessions[name], await !session.isClosed else { return nil }
    return session
  }

  /// The state folder is made before locks can lie in it.
  func tenure(_ name: QueueName) async throws(DLSyncError) -> QueueTenure {
    try await store().close()
    return try QueueTenure(scope, name, workspace)
  }

  /// The recorded settings, and the proxy's URL as far as it is recorded; nil for a new queue.
  func recorded(_ name: QueueName) async throws(DLSyncError) -> (values: [String: String], proxy: String?)? {
    let store = try await store()
    let found = try await store.settings(of: scope, name)
    await store.close()
    return found
  }

  func open(
    _ declaration: QueueDeclaration, _ tenure: QueueTenure, isNew: Bool
  ) async throws(DLSyncError) -> QueueSession {
    let store = try await store()
    if isNew { try await store.record(declaration, of: scope, requests: [], now: .now) }
    let transport = transport ?? CurlTransport()
    self.transport = transport
    let session = QueueSession(
      declaration, of: scope, workspace, store: store, transport: transport, tenure: tenure)
    try await session.begin()
    sessions[declaration.name] = session
    return session
  }

  func close() async {
    for session in sessions.values { await session.close() }
    sessions = [:]
    transport = nil
  }

  private func store() async throws(DLSyncError) -> Store {
    guard let store = try await Store.open(folder: workspace.stateFolder, access: .write) else {
      throw DLSyncError(.internal, "a state that is opened for writing is there")
    }
    return store
  }
}
