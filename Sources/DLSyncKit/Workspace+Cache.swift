internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncStore

/// What dlsync keeps beside the files of manifests.
public struct CacheUsage: Sendable {
  /// Where the cache is; nil where there is none.
  public var folder: String?
  /// Files of dlsync's own store, `<state>/files`: those of `managed` entries and of `get` without a destination.
  public var managed = FileTally()
  /// Bytes of finished files in the cache.
  public var cached = FileTally()
  /// Partial data that a later run goes on with.
  public var partial = FileTally()
  /// Partial data that no run goes on with: its task is finished or forgotten.
  public var abandoned = FileTally()

  /// Nothing.
  public init() {}
}

/// A queue that is asked for alone.
typealias CachingQueue = (scope: Scope, name: QueueName)

/// What was taken away.
public struct CacheClearance: Sendable {
  /// Out of the cache.
  public var cached = FileTally()
  /// Partial data of tasks that are finished or forgotten.
  public var partial = FileTally()

  /// Nothing.
  public init() {}
}

extension Workspace {
  /// The variable that names the cache where no option does.
  static let cacheVariable = "DLSYNC_CACHE"

  /// The folder of the cache as an option (`nil`: not given) or else `DLSYNC_CACHE` names it, an absolute path; nil for `off`,
  /// and where neither is there.
  public static func cacheFolder(
    _ option: String?, environment: [String: String]
  ) throws(DLSyncError) -> String? {
    guard let text = option ?? environment[cacheVariable], !text.isEmpty, text != "off" else { return nil }
    try requireReplacedHome(text)
    let path = try WorkingFolder.absolute(text)
    guard let folder = try? Destination(path.endsInSlash ? String(path.dropLast()) : path, root: "/") else {
      throw DLSyncError(.usage, "\"\(text)\" is no folder that could be a cache")
    }
    return folder.path
  }

  /// What the cache, dlsync's own store and partial data take up. Changes nothing.
  ///
  /// Errors: those of reading the state.
  @concurrent public func cacheInfo() async throws(DLSyncError) -> CacheUsage { try await cacheInfo(of: nil) }

  /// The same; of managed files and partial data only what a queue's tasks have, where one is given.
  func cacheInfo(of queue: CachingQueue?) async throws(DLSyncError) -> CacheUsage {
    var usage = CacheUsage()
    usage.folder = cacheFolder
    if let cache { usage.cached = cache.usage() }
    let tasks = try await recordedTasks(of: queue)
    let store = stateFolder + "/files/"
    let managed = tasks.filter { $0.state == .completed && $0.destination.beginsBytewise(with: store) }.map(
      \.destination)
    for case .file(let identity) in Surveyor().survey(recorded: managed).values { usage.managed.add(identity.size) }
    let unfinished = unfinished(of: tasks)
    let isMeant = concerned(tasks, queue)
    for part in findParts(in: folders(of: tasks), where: { id, _ in isMeant(id) }) {
      if part.isUsual, unfinished.contains(part.task) {
        usage.partial.add(part.diskBytes.bytes)
      } else {
        usage.abandoned.add(part.diskBytes.bytes)
      }
    }
    return usage
  }

  /// Drops what belongs to finished tasks: the bytes in the cache, and partial data that no run goes on with. Never a
  /// published file, a record, or partial data that somebody uses. Answers what went.
  ///
  /// Errors: those of reading the state.
  @discardableResult
  @concurrent public func clearCache() async throws(DLSyncError) -> CacheClearance { try await clearCache(of: nil) }

  /// The same; of partial data only what a queue's tasks left, where one is given.
  func clearCache(of queue: CachingQueue?) async throws(DLSyncError) -> CacheClearance {
    var clearance = CacheClearance()
    let tasks = try await recordedTasks(of: queue)
    let unfinished = unfinished(of: tasks)
    let isMeant = concerned(tasks, queue)
    let parts = findParts(in: folders(of: tasks)) { id, isUsual in
      isMeant(id) && (!isUsual || !unfinished.contains(id))
    }
    for part in parts where part.remove() { clearance.partial.add(part.diskBytes.bytes) }
    if let cache { clearance.cached = cache.clear() }
    return clearance
  }

  private func recordedTasks(of queue: CachingQueue?) async throws(DLSyncError) -> [TaskSnapshot] {
    guard let store = try await Store.open(folder: stateFolder, access: .read) else { return [] }
    let tasks = try await store.taskSnapshots(of: queue.map { [$0.scope] })
    await store.close()
    return queue.map { queue in tasks.filter { $0.queue == queue.name } } ?? tasks
  }

  /// Whose partial data is meant: of a queue that of its tasks, else everybody's, forgotten tasks included.
  private func concerned(_ tasks: [TaskSnapshot], _ queue: CachingQueue?) -> (TaskID) -> Bool {
    guard queue != nil else { return { _ in true } }
    let ids = Set(tasks.map(\.id))
    return { ids.contains($0) }
  }
}
