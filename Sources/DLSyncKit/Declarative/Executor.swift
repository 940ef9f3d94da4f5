public import DLSyncModel

/// Makes the disk agree with a manifest, and reports: what `dlsync apply` does.
///
/// ```swift
/// let executor = Executor(workspace)
/// let report = await executor.execute(manifest)
/// print("\(report.summary.downloaded) downloaded, \(report.summary.failed) failed")
/// ```
///
/// An execution never throws. What stops it as a whole stands in the report's `end`, and a file's own failure in its
/// outcome; other files go on.
public struct Executor: Sendable {
  private let workspace: Workspace
  private let options: ApplyOptions

  /// Executes on a state folder, with these options.
  public init(_ workspace: Workspace, _ options: ApplyOptions = ApplyOptions()) {
    self.workspace = workspace
    self.options = options
  }

  /// Locks the manifest's queues, plans, and carries the plan out.
  ///
  /// `stop` ends it early and leaves everything resumable; `observer` is told what happens while it happens.
  public func execute(
    _ manifest: Manifest, stop: StopRequest = StopRequest(), observer: any RunObserver = SilentObserver()
  ) async -> Report {
    await workspace.apply(manifest, options, stop: stop, observer: observer)
  }

  /// The same, but only what was decided before: where the files are decided differently by now, because the record or the
  /// disk has changed since, nothing is done, and the report ends with `interrupted`. The plan must be one of this manifest,
  /// made with the executor's `planning` options.
  public func execute(
    _ plan: Plan, of manifest: Manifest, stop: StopRequest = StopRequest(),
    observer: any RunObserver = SilentObserver()
  ) async -> Report {
    await workspace.apply(manifest, options, expecting: plan, stop: stop, observer: observer)
  }
}

/// Wants to know nothing.
public struct SilentObserver: RunObserver {
  /// Hears nothing.
  public init() {}
  /// Forgets what it is told.
  public func receive(_ events: [Event]) {}
}

extension Plan {
  /// Throws `interrupted` where anything is decided otherwise than in the other plan.
  func requireEqual(_ other: Plan) throws(DLSyncError) {
    var count = abs(files.count - other.files.count)
    for (mine, its) in zip(files, other.files) where !mine.decidesLike(its) { count += 1 }
    if Set(orphans.map(\.id)) != Set(other.orphans.map(\.id)) { count += 1 }
    guard count > 0 || scope != other.scope else { return }
    throw DLSyncError(
      .interrupted, "the plan is out of date: \(count) decisions are others by now; nothing was done",
      hint: "plan again")
  }
}

extension FilePlan {
  fileprivate func decidesLike(_ other: FilePlan) -> Bool {
    entry.id == other.entry.id && entry.url == other.entry.url && action == other.action && reason == other.reason
      && isHeld == other.isHeld && basis == other.basis && copyOf == other.copyOf
      && copyFrom?.path == other.copyFrom?.path
  }
}
