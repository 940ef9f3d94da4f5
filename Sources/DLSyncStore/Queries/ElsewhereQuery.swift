import DLSyncModel

/// Finished files of other manifests, for whoever wants the same bytes.
struct ElsewhereQuery {
  let connection: Connection

  /// So many places of the same bytes are enough: one of them will be untouched.
  private static let enough = 4

  /// For each digest that is wanted, files that have it: by their fingerprint, or because it was compared when they came.
  func files(besides scope: Scope, having wanted: Set<Digest>) throws(StoreFailure) -> [Digest: [CopySource]] {
    let own = try StateQuery(connection: connection).scopeNames().first { $0.value == scope }?.key
    // A SHA-256 that was compared is the fingerprint.
    let isFew = try StateQuery(connection: connection).isFew(wanted.count)
    var found: [Digest: [CopySource]] = [:]
    if isFew, wanted.allSatisfy({ $0.algorithm == .sha256 }) {
      try lookUp(wanted, besides: own, into: &found)
      try scan(onlyUnfiled: true, wanted, besides: own, into: &found)
    } else {
      try scan(onlyUnfiled: false, wanted, besides: own, into: &found)
    }
    return found
  }

  private func lookUp(
    _ wanted: Set<Digest>, besides own: Int64?, into found: inout [Digest: [CopySource]]
  ) throws(StoreFailure) {
    let rows = try connection.statement(
      """
      SELECT destination, fingerprint, device, inode, size, modified, changed, mode, recordedAt FROM task
        WHERE isFiled = 1 AND fingerprint = ?1 AND scope IS NOT ?2 AND state = 7 LIMIT ?3
      """)
    for digest in wanted {
      rows.bind(1, DigestCoding.encode(digest))
      rows.bind(2, own)
      rows.bind(3, Int64(Self.enough))
      while try rows.step() {
        guard let published = PublishedFile(rows, from: 1) else { continue }
        found[digest, default: []].append(CopySource(path: rows.text(0), published: published))
      }
    }
  }

  /// One scan of all tasks, or of those that the index does not have yet.
  private func scan(
    onlyUnfiled: Bool, _ wanted: Set<Digest>, besides own: Int64?, into found: inout [Digest: [CopySource]]
  ) throws(StoreFailure) {
    let rows = try Statement("\(Self.everyTask)\(onlyUnfiled ? " WHERE isFiled = 0" : "")", on: connection)
    let completed = TaskState.completed.stored
    while try rows.step() {
      guard rows.integer(0) != own, rows.integer(1) == completed, let published = PublishedFile(rows, from: 4) else {
        continue
      }
      for digest in [published.fingerprint] + rows.withBlob(3, DigestCoding.decode) where wanted.contains(digest) {
        guard found[digest]?.count ?? 0 < Self.enough else { continue }
        found[digest, default: []].append(CopySource(path: rows.text(2), published: published))
      }
    }
  }

  private static let everyTask: StaticString = """
    SELECT scope, state, destination, checksums,
      fingerprint, device, inode, size, modified, changed, mode, recordedAt FROM task
    """
}
