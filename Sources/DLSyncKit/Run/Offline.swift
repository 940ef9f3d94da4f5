internal import DLSyncModel
internal import DLSyncPlanner
internal import DLSyncThreading
internal import DLSyncTransfer

extension Plan {
  /// The plan of a run that may not contact a server: whatever has to be fetched is known to fail.
  var offline: Plan {
    Plan(
      scope: scope, source: source, queues: queues,
      files: files.map { file in
        // What is here is good enough where nobody can be asked for something newer.
        if file.reason == .stale { return file.unchanged }
        // A copy of what has to be fetched cannot be had either.
        let source = file.copyOf.map { files[$0] } ?? file
        guard source.action == .download, !source.isHeld, !source.isCopied else { return file }
        return file.failing(with: .offline(file.entry.url))
      }, orphans: orphans, warnings: warnings)
  }
}

/// The transport of a run that may not contact a server.
struct OfflineTransport: Transport {
  let executor = ThreadExecutor(name: "dlsync-offline")

  func fetch(_ request: TransferRequest) async -> TransferOutcome {
    TransferOutcome(end: .failed(.offline(request.url)), response: nil, received: 0)
  }

  func stop() { executor.stop() }
}

extension DLSyncError {
  fileprivate static func offline(_ url: SourceURL) -> DLSyncError {
    DLSyncError(
      .networkNotAllowed, "\"\(url.shown)\" has to be fetched, and --offline forbids it",
      hint: "run again without --offline")
  }
}

extension Manifest {
  /// Throws `lockOutdated` where every selected file is to have a line in the lock file and one has none.
  func checkLock(_ options: PlanOptions) throws(DLSyncError) {
    guard options.requiresLock else { return }
    let renew = "write it with `dlsync lock \(source)`, and commit it"
    guard let path = Workspace.lockPath(of: source) else {
      throw DLSyncError(
        .lockOutdated, "a manifest from standard input or a pipe has no lock file",
        hint: "keep the manifest in a file, and lock that")
    }
    guard let lock else { throw DLSyncError(.lockOutdated, "there is no lock file \"\(path)\"", hint: renew) }
    let selection = Selection(options, of: self)
    let missing = lock.uncovered.filter { selection.contains(files[$0]) }
    guard let first = missing.first else { return }
    let more = missing.count == 1 ? "" : " and \(missing.count - 1) more"
    throw DLSyncError(
      .lockOutdated,
      "the lock file \"\(lock.source)\" has no line that fits \"\(files[first].destination.relativePath)\"\(more)",
      hint: renew,
      .init(location: SourceLocation(file: source, line: Int(files[first].line), column: Int(files[first].column))))
  }
}
