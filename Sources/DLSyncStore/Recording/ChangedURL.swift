import DLSyncModel

/// What becomes of the bytes of an unfinished transfer when the manifest names another URL, within the caller's transaction
/// and before the task's row is changed.
struct ChangedURL {
  let connection: Connection
  let changes: ChangeRecorder

  /// A renewed signature names the same resource, and a checksum that both have proves the whole: then nothing changes. A
  /// new query may name another resource, which an entity tag tells and a date does not: two files of one build have the
  /// same (RFC 9110, section 8.8.2.2, allows it for one resource alone). Another path is another resource.
  func settle(_ entry: FileEntry, _ task: Int64) throws(StoreFailure) {
    guard let before = try recorded(task) else { return }
    let text = entry.url.text
    let isSigned = Redaction.isSigned(text)
    let isSame = Redaction.resource(text, isSigned: isSigned) == Redaction.resource(before.url, isSigned: isSigned)
    guard !isSame, !entry.checksums.contains(where: before.checksums.contains) else { return }
    if text.withoutQuery == before.url.withoutQuery {
      try forgetDate(task)
    } else {
      try changes.dropPieces(task)
    }
  }

  /// Nil where nothing is unfinished.
  private func recorded(_ task: Int64) throws(StoreFailure) -> (url: String, checksums: [Digest])? {
    let rows = try connection.statement("SELECT url, checksums FROM task WHERE number = ? AND confirmed > 0")
    rows.bind(1, task)
    defer { rows.reset() }
    guard try rows.step() else { return nil }
    return (rows.text(0), rows.withBlob(1) { DigestCoding.decode($0) })
  }

  /// Entity tags are recorded with their quotes.
  private func forgetDate(_ task: Int64) throws(StoreFailure) {
    let statement = try connection.statement(
      "UPDATE response SET validator = NULL WHERE task = ? AND substr(validator, 1, 1) <> '\"'")
    statement.bind(1, task)
    try statement.run()
  }
}
