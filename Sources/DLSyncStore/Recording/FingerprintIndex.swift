/// Finished files by what their bytes are. Those that came lately stand beside the index, in the order of their rows, until
/// they are entered together: whoever looks for bytes looks at both, at those beside it once for all.
struct FingerprintIndex {
  let connection: Connection

  /// So many stand beside it at most.
  static let most = 1024

  /// Enters what came lately. Within the caller's transaction.
  func file() throws(StoreFailure) {
    guard try connection.integer("SELECT 1 FROM task WHERE isFiled = 0 LIMIT 1") != nil else { return }
    try connection.statement("UPDATE task SET isFiled = 1 WHERE isFiled = 0").run()
  }
}
