internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// Fetches files to learn their digests, with everything that a run has: queues, retries, mirrors, limits. It is a run of its
/// own in a folder of its own, and each file is removed as soon as it is hashed; nothing of it stays.
struct LockFetch {
  private static let prefix = "lock-"

  let workspace: Workspace
  let options: LockOptions

  /// Takes away what killed processes left. One of another container seems to be none, but its run holds locks.
  private func removeAbandoned() {
    for path in FolderTree.abandoned(in: workspace.stateFolder, prefix: Self.prefix) {
      guard let locks = try? QueueLock.takeAll(folder: path + "/run") else { continue }
      FolderTree.remove(path)
      for lock in locks { lock.release() }
    }
  }

  /// Fetches what the board wants. Returns the signal that stopped it.
  func run(
    _ manifest: Manifest, _ board: inout LockBoard, stop: StopRequest, observer: any RunObserver
  ) async throws(DLSyncError) -> Int32? {
    removeAbandoned()
    let folder = "\(workspace.stateFolder)/\(Self.prefix)\(FolderTree.process)-\(UInt64.random(in: .min ... .max))"
    defer { FolderTree.remove(folder) }
    let inner = Workspace(stateFolder: folder, environment: workspace.environment)
    let copies = copies(of: manifest, board.wanted, below: folder + "/files")
    let job = Manifest(
      scope: Scope("lock"), source: manifest.source, root: folder + "/files", queues: manifest.queues,
      files: copies.map(\.entry))
    var apply = ApplyOptions()
    apply.jobs = options.jobs
    apply.rate = options.rate
    apply.planning.netrc = options.netrc
    apply.runsInForeground = true
    let report = await inner.apply(job, apply, stop: stop, observer: DroppingObserver(observer))
    if let error = report.end?.error {
      if error.code == .interrupted, let signal = report.end?.signal { return signal }
      throw error
    }
    guard let plan = report.plan else { return report.end?.signal }
    let responses = try await responses(of: plan, inner)
    for (file, (planned, outcome)) in zip(plan.files, report.outcomes).enumerated() {
      let line = outcome.flatMap { outcome -> ManifestLock.Line? in
        guard outcome.state == .completed, let digest = outcome.fingerprint, let bytes = outcome.bytes else {
          return nil
        }
        return ManifestLock.Line(
          planned.entry, as: planned.entry.destination.relativePath, digest, bytes.bytes, responses[planned.entry.id])
      }
      for index in copies[file].indices {
        if let line {
          board.take(index, line.moved(to: manifest.lockedName(of: manifest.files[index])))
        } else if let error = outcome?.error ?? planned.error {
          board.fail(index, error)
        }
      }
    }
    return report.end?.signal
  }

  /// One file for each URL of a queue, with the entries that want the same of it.
  private func copies(
    of manifest: Manifest, _ wanted: [Int], below root: String
  ) -> [(entry: FileEntry, indices: [Int])] {
    struct Source: Hashable {
      let queue: QueueName
      let url: SourceURL
      let size: ByteCount?
      let keepsEncoding: Bool
    }
    var copies: [(entry: FileEntry, indices: [Int])] = []
    var known: [Source: Int] = [:]
    for index in wanted {
      let entry = manifest.files[index]
      let source = Source(
        queue: entry.queue, url: entry.url, size: entry.size, keepsEncoding: entry.options.settings.keepsEncoding)
      if let place = known[source] {
        copies[place].indices.append(index)
        continue
      }
      known[source] = copies.count
      let path = String(entry.destination.relativePath.drop { $0 == "/" })
      let folder = root + (entry.destination.root == nil ? "/whole" : "/below")
      let destination = (try? Destination(path, root: folder)) ?? entry.destination
      copies.append((entry.moved(to: destination, scope: Scope("lock")), [index]))
    }
    return copies
  }

  private func responses(of plan: Plan, _ inner: Workspace) async throws(DLSyncError) -> [TaskID: ResponseRecord] {
    guard let store = try await Store.open(folder: inner.stateFolder, access: .read) else { return [:] }
    let responses = try await store.responses(of: plan.files.map(\.entry.id))
    await store.close()
    return responses
  }
}

/// Removes each file that has come, and passes every event on.
private final class DroppingObserver: RunObserver {
  private let inner: any RunObserver
  private let destinations = Locked<[String]>([])

  init(_ inner: any RunObserver) { self.inner = inner }

  func receive(_ events: [Event]) {
    for event in events {
      switch event {
      case .planned(let plan): destinations.withLock { $0 = plan.files.map(\.entry.destination.path) }
      case .ended(let outcome) where outcome.state == .completed:
        FolderTree.remove(file: destinations.withLock { $0[outcome.file] })
      default: break
      }
    }
    inner.receive(events)
  }
}
