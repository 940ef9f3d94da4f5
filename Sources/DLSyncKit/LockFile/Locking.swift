internal import DLSyncDisk
internal import DLSyncManifest
public import DLSyncModel
internal import DLSyncStore

/// What is to be locked anew.
public struct LockOptions: Sendable {
  /// Asks the server also for files that have a line that fits.
  public var renews = false
  /// With `renews`: only files that one of these names, by destination, URL, id or pattern; empty for all.
  public var selectors: [String] = []
  /// Files at once, beside each queue's own limit.
  public var jobs: Int?
  /// Payload rate of the whole run in bytes a second.
  public var rate: ByteCount?
  /// Who somebody is for which machine.
  public var netrc: Netrc?

  /// Only what has no line yet.
  public init() {}
}

/// What became of the lines of a lock file.
public struct LockReport: Sendable {
  /// What became of one file's line.
  public enum Change: String, Sendable {
    /// It says what it said before.
    case kept
    /// There was none.
    case added
    /// It says something else now.
    case renewed
    /// The bytes could not be had: the lock file stays as it was.
    case failed
  }

  /// One file of the manifest.
  public struct File: Sendable {
    /// The file.
    public let entry: FileEntry
    /// What became of its line.
    public let change: Change
    /// The line as it is now.
    public let line: ManifestLock.Line?
    /// Why there is none.
    public let error: DLSyncError?
  }

  /// The lock file.
  public let path: String
  /// In the manifest's order.
  public let files: [File]
  /// Lines that were dropped because the manifest names their files no longer.
  public let dropped: Int
  /// The signal that ended it early.
  public let signal: Int32?
  /// Whether the file was written; it is not where a file failed or nothing changed.
  public let isWritten: Bool

  /// 0 when every file has its line.
  public var exitStatus: Int32 {
    if let signal { return 128 + signal }
    return files.contains { $0.change == .failed } ? 1 : 0
  }
}

extension Workspace {
  /// Writes the lock file of a manifest. Lines that fit are kept; of the other files the digest is taken from the record
  /// where the published file is untouched, else from the server: their bytes are fetched, hashed and dropped.
  ///
  /// `manifest` and `old` are those of `loadWithLock`. Nothing is written unless every file has its line.
  @concurrent public func lock(
    _ manifest: Manifest, _ old: ManifestLock?, _ options: LockOptions, stop: StopRequest, observer: any RunObserver
  ) async throws(DLSyncError) -> LockReport {
    guard let path = Self.lockPath(of: manifest.source) else {
      throw DLSyncError(.usage, "a manifest from standard input or a pipe has no place for a lock file")
    }
    var board = LockBoard(manifest, old, options)
    if let selector = board.unmatchedSelector {
      throw DLSyncError(.taskNotFound, "no file of \"\(manifest.source)\" matches \"\(Redaction.url(selector))\"")
    }
    let clashes = Self.clashes(in: manifest).compactMap { clash in clash.error.map { (clash.entry.id, $0) } }
    board.refuse(Dictionary(clashes) { $1 })
    if !options.renews, !board.wanted.isEmpty { try await takeRecorded(manifest, &board, stop) }
    var signal = stop.signal
    if signal == nil, !board.wanted.isEmpty {
      try FileText.probe(path)
      let fetch = LockFetch(workspace: self, options: options)
      signal = try await fetch.run(manifest, &board, stop: stop, observer: observer)
    }
    let lock = board.lock
    let isComplete = signal == nil && !board.hasFailures
    let isChanged = Set(lock.lines) != Set(old?.lines ?? []) || old == nil
    if isComplete, isChanged { try FileText.replace(path, Array(LockWriter.text(lock).utf8)) }
    return LockReport(
      path: path, files: board.files, dropped: board.dropped, signal: signal, isWritten: isComplete && isChanged)
  }

  /// Lines of files that dlsync published and that nobody touched since.
  private func takeRecorded(
    _ manifest: Manifest, _ board: inout LockBoard, _ stop: StopRequest
  ) async throws(DLSyncError) {
    guard let store = try await Store.open(folder: stateFolder, access: .read) else { return }
    let facts = try await Facts.gather(manifest, store: store, workspace: self)
    let tasks = Dictionary(facts.stored.tasks.map { ($0.id, $0) }) { first, _ in first }
    let plan = facts.plan(manifest, PlanOptions(), cancel: stop.token)
    guard stop.signal == nil else { return await store.close() }
    let unchanged = plan.files.filter { $0.reason == .unchanged }.map(\.entry.id)
    let wanted = Set(board.wanted.map { manifest.files[$0].id }).intersection(unchanged)
    let responses = try await store.responses(of: Array(wanted))
    await store.close()
    for index in board.wanted {
      let entry = manifest.files[index]
      guard wanted.contains(entry.id), let file = tasks[entry.id]?.published else { continue }
      board.take(
        index,
        ManifestLock.Line(
          entry, as: manifest.lockedName(of: entry), file.fingerprint, file.identity.size, responses[entry.id]))
    }
  }
}

extension ManifestLock.Line {
  init(_ entry: FileEntry, as destination: String, _ sha256: Digest, _ size: Int64, _ response: ResponseRecord?) {
    func header(_ name: String) -> String? { response?.headers.first { $0.name.lowercased() == name }?.value }
    self.init(
      destination: destination, url: Redaction.storable(entry.url.text), size: ByteCount(size),
      sha256: sha256, entityTag: header("etag"), lastModified: header("last-modified"))
  }
}
