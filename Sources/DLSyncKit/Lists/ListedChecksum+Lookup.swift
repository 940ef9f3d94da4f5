internal import DLSyncManifest
internal import DLSyncModel

extension ListedChecksum {
  /// The digest of a file in its list.
  func digest(of entry: FileEntry, in list: PublishedList) throws(DLSyncError) -> Digest {
    let name = entry.name(in: self)
    switch list.digest(of: name, algorithm: algorithm) {
    case .success(let digest): return digest
    case .failure(let problem): throw .notListed(name, self, problem, isEmpty: list.isEmpty)
    }
  }
}

extension DLSyncError {
  /// A list that cannot be had. Whether a later run may have it depends on why.
  static func listUnavailable(_ place: ListedChecksum.Place, _ error: DLSyncError) -> DLSyncError {
    guard error.code != .interrupted else { return error }
    var details = error.details
    details.isRetryable = error.isRetryable
    details.underlying = error.code.text
    // Who may ask nobody is told so, not that something is wrong with the list.
    let code: ErrorCode = error.code == .networkNotAllowed ? error.code : .checksumUnavailable
    return DLSyncError(
      code, "could not read the list of checksums \"\(place)\": \(error.message)",
      hint: error.details.statusCode.map { $0 < 500 } ?? (error.hint == nil)
        ? "check `from`, or pin the digest in the manifest" : error.hint,
      details)
  }

  fileprivate static func notListed(
    _ name: String, _ checksum: ListedChecksum, _ problem: PublishedList.Problem, isEmpty: Bool
  ) -> DLSyncError {
    let kind = checksum.algorithm.map { "\($0.name) checksum" } ?? "checksum"
    switch problem {
    case .ambiguous:
      return DLSyncError(
        .checksumUnavailable, "the list \"\(checksum.place)\" has more than one \(kind) for \"\(name)\"",
        hint: "give `name` as the list has it, with the folders before it")
    case .missing where isEmpty:
      return DLSyncError(
        .checksumUnavailable, "there is no checksum at all in \"\(checksum.place)\"",
        hint: "check `from`: it should lead to a list such as sha256sum writes")
    case .missing:
      return DLSyncError(
        .checksumUnavailable, "the list \"\(checksum.place)\" has no \(kind) for \"\(name)\"",
        hint: "give the name that the list has for the file as `name`, or check `algorithm`")
    }
  }
}
