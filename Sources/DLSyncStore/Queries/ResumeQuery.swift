import DLSyncModel

/// What an attempt needs to go on where an earlier run ended.
struct ResumeQuery {
  let connection: Connection

  func pieces(of ids: [TaskID]) throws(StoreFailure) -> [TaskID: [ConfirmedPiece]] {
    let rows = try connection.statement(
      """
      SELECT lower, upper, kind, digest FROM piece JOIN task ON number = task WHERE id = ? ORDER BY lower
      """)
    var found: [TaskID: [ConfirmedPiece]] = [:]
    for id in ids {
      rows.bind(1, Int64(bitPattern: id.value))
      while try rows.step() {
        // A piece that cannot be read vouches for nothing: it is fetched again.
        guard rows.integer(0) >= 0, rows.integer(1) >= rows.integer(0),
          let kind = ConfirmedPiece.Kind(rawValue: rows.integer(2)),
          let digest = rows.withBlob(3, DigestCoding.decodeOne)
        else { continue }
        let range = ByteRange(rows.integer(0), rows.integer(1))
        found[id, default: []].append(ConfirmedPiece(range: range, digest: digest, kind: kind))
      }
    }
    return found
  }

  func responses(of ids: [TaskID]) throws(StoreFailure) -> [TaskID: ResponseRecord] {
    let rows = try connection.statement(
      """
      SELECT statusCode, finalURL, headers, isResumable, total, validator FROM response JOIN task ON number = task
        WHERE id = ?
      """)
    var found: [TaskID: ResponseRecord] = [:]
    for id in ids {
      rows.bind(1, Int64(bitPattern: id.value))
      while try rows.step() {
        found[id] = ResponseRecord(
          statusCode: rows.integerOrNull(0).map(Int.init), finalURL: rows.text(1), headers: rows.headers(2),
          isResumable: rows.booleanOrNull(3), total: rows.byteCountOrNull(4),
          validator: rows.textOrNull(5))
      }
    }
    return found
  }
}
