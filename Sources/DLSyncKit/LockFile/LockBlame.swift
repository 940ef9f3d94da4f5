internal import DLSyncModel

extension LockPin {
  /// The end of an attempt, with its error so.
  func naming(_ end: AttemptEnd, of entry: FileEntry) -> AttemptEnd {
    guard case .failed(let error, let pause) = end else { return end }
    return .failed(naming(error, of: entry), retryAfter: pause)
  }

  /// The error in words that lead to the lock file, where the value that is not met stands there and not in the manifest.
  func naming(_ error: DLSyncError, of entry: FileEntry) -> DLSyncError {
    let update = "`dlsync lock --update \(manifest)`"
    switch error.code {
    case .sizeMismatch where pinsSize:
      guard let mismatch = error.details.sizeMismatch else { return error }
      return DLSyncError(
        mismatch, hint: "if what the server has is right, pin that with \(update)",
        declarer: "the lock file \"\(source)\" pins")
    case .checksumMismatch where pinsDigest:
      // What has the pinned digest lacks another one: that of a published list.
      guard let found = error.details.found, found.algorithm == .sha256, !entry.checksums.contains(found) else {
        return error
      }
      return DLSyncError(
        error.code, "\(error.message); the lock file \"\(source)\" pins it",
        hint: "if the new bytes are the right ones, pin them with \(update); otherwise do not trust the server",
        error.details)
    default: return error
    }
  }
}

/// What lock files say of the files of a run.
struct LockPins {
  /// How far the manifest's lock file covers them, where there is one.
  let coverage: LockCoverage?
  /// The same of single files, from the record.
  var pins: [TaskID: LockPin]
}

extension Execution {
  /// What a lock file says of a file that its manifest does not.
  func lockPin(of entry: FileEntry) -> LockPin? {
    pinning.pins[entry.id] ?? pinning.coverage?.pin(of: entry, manifest: plan.source)
  }
}
