internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading

/// What a run has for bytes that need not travel.
struct LocalCopies {
  let thread: CopyThread
  let cache: ContentCache?
  /// Digests of files that go into the cache and cannot be found there yet.
  var unsealed: Set<Digest> = []

  init(cache: ContentCache?) {
    thread = CopyThread(cache: cache)
    self.cache = cache
  }
}

/// Bytes that are here already: copied instead of fetched, and kept for others.
extension Execution {
  /// Whether the bytes may be here already, and were not tried.
  func mayCopy(_ job: FileJob) -> Bool {
    job.attempts == 1 && (job.plan.copyOf != nil || job.plan.copyFrom != nil || copies.cache != nil)
  }

  /// How an attempt ends with bytes that lie elsewhere, or nil when they have to be fetched after all.
  func copyLocally(_ job: FileJob, into part: PartFile) async -> AttemptEnd? {
    guard part.present.isEmpty, let source = await copySource(of: job),
      let place = try? Destination(source.path, root: "/")
    else { return nil }
    do throws(DLSyncError) {
      let length = try await copies.thread.copy(from: place, identity: source.identity, into: part, cancel: job.cancel)
        .bytes
      job.progress.set(length)
      let end = await verify(job, part, length: length)
      guard case .failed = end else {
        if let file = job.plan.copyOf, plan.files[file].entry.options.settings.takesServerTime {
          job.copiedTime = Timestamp(nanoseconds: source.identity.modified)
        }
        return end
      }
      try leave(source, job, part)
      return nil
    } catch {
      // The source was changed or removed meanwhile, or nothing can be written: the server is asked instead, and says so.
      try? empty(job, part)
      return nil
    }
  }

  /// A copy that is not what it should be proves that its source is not, whatever its time stamps say.
  private func leave(_ source: Source, _ job: FileJob, _ part: PartFile) throws(DLSyncError) {
    if let cached = source.cached {
      copies.cache?.drop(cached)
      let text = "the cache had other bytes than it should and lost them: \"\(cached.path)\""
      job.warnings.append(text)
      relay.send(.warning(file: job.file, text))
    }
    try empty(job, part)
    move(job, to: .running)
  }

  /// Where bytes are copied from.
  private struct Source {
    let path: String
    let identity: FileIdentity
    /// Where they are the cache's.
    var cached: CopySource?
  }

  private func copySource(of job: FileJob) async -> Source? {
    if let file = job.plan.copyOf, let identity = dependents.identity(of: file) {
      return Source(path: plan.files[file].entry.destination.path, identity: identity)
    }
    if let source = job.plan.copyFrom, copies.cache?.holds(source.path) != true {
      return Source(path: source.path, identity: source.published.identity)
    }
    // Another run, or a published list of checksums, may have told more since the plan was made.
    guard let cache = copies.cache, job.refreshed == nil else { return nil }
    // What came a moment ago is on its way there.
    if !copies.unsealed.isEmpty, !copies.unsealed.isDisjoint(with: job.checksums) { await endKeeping() }
    guard let cached = job.checksums.lazy.compactMap(cache.find).first else { return nil }
    return Source(path: cached.path, identity: cached.published.identity, cached: cached)
  }

  /// A published file goes into the cache. Its room is what running files do not need.
  func keepForOthers(_ job: FileJob, _ file: PublishedFile) async {
    copies.unsealed.formUnion(job.checksums + [file.fingerprint])
    do throws(DLSyncError) {
      let areSealed = try await copies.thread.keep(
        job.entry.destination, file, digests: job.checksums, leaving: space.promised)
      if areSealed { copies.unsealed = [] }
    } catch {
      warn(error)
    }
  }

  /// What went into the cache can be found from now on.
  func endKeeping() async {
    guard copies.cache != nil else { return }
    let waiting = copies.unsealed
    do throws(DLSyncError) { try await copies.thread.endKeeping() } catch { warn(error) }
    copies.unsealed.subtract(waiting)
  }

  private func warn(_ error: DLSyncError) {
    relay.send(.warning(file: nil, "nothing more is kept in the cache in this run: \(error.message)"))
  }
}
