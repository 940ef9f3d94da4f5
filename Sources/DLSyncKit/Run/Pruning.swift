internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore

/// Forgets what the manifest no longer names, and deletes the files of it that are still exactly what dlsync published.
///
/// It comes last: until then other files may be copied from these. The order is: the files, their partial data, their
/// records; a crash in between leaves orphans that the next run finds again.
struct Pruning {
  let plan: Plan
  let manifest: Manifest
  /// What other manifests want, of this name or of others.
  let othersDestinations: [String]
  let locksFolder: String
  /// Queues whose locks the run holds anyway.
  let heldQueues: Set<QueueName>

  init(_ plan: Plan, _ manifest: Manifest, _ facts: Facts, _ options: ApplyOptions, locksFolder: String) {
    self.plan = plan
    self.manifest = manifest
    self.locksFolder = locksFolder
    othersDestinations = facts.stored.foreignClaims.keys.map(\.text) + options.planning.alsoWanted.map(\.text)
    heldQueues = options.runs(manifest.queues)
  }

  /// Does it, but for the destinations in `keeping`: files that something may still have to be copied from. After `stop`
  /// what is left stays for the next run. `locked` are the queues that `lockQueues` has.
  func run(
    keeping: Set<BytewiseText>, locked: Set<QueueName>, store: Store, relay: EventRelay, stop: StopRequest
  ) async throws(DLSyncError) {
    var removal = OrphanRemoval(needed: manifest.files.map(\.destination.path) + othersDestinations, cancel: stop.token)
    let killed = try await KilledPublications(store)
    var done: [Orphan] = []
    var pruned: [PrunedFile] = []
    for orphan in plan.orphans where !keeping.contains(BytewiseText(orphan.destination)) {
      guard stop.signal == nil else { break }
      guard heldQueues.contains(orphan.queue) || locked.contains(orphan.queue) else {
        relay.send(
          .warning(file: nil, "\"\(orphan.destination)\" was not pruned: its queue \"\(orphan.queue)\" runs elsewhere"))
        continue
      }
      do throws(DLSyncError) {
        if let place = try? Destination(orphan.destination, root: "/"),
          let notice = try killed.settle(orphan.id, at: place)
        {
          relay.send(.warning(file: nil, notice))
        }
        let end = try removal.run(orphan.id, orphan.destination, published: orphan.published)
        // What was not read to its end is an orphan as before.
        if end == .kept, stop.signal != nil { break }
        if end == .kept {
          relay.send(.warning(file: nil, "\"\(orphan.destination)\" stays: it is not what dlsync published there"))
        }
        done.append(orphan)
        pruned.append(PrunedFile(destination: orphan.destination, end: end))
      } catch {
        relay.send(.warning(file: nil, error.message))
      }
    }
    removeLeftovers(of: done)
    guard !done.isEmpty else { return }
    if await store.run == nil { try await store.logBeginning(of: plan.scope, now: .now) }
    try await store.remove(done.map(\.id), now: .now)
    relay.send(.pruned(pruned))
  }

  /// The locks of queues that only orphans belong to; without one, another process may be at work on them.
  func lockQueues() -> [QueueName: QueueLock] {
    QueueLock.takeFree(Set(plan.orphans.map(\.queue)).subtracting(heldQueues), of: plan.scope, folder: locksFolder)
  }
}
