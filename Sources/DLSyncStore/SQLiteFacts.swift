import CSQLite

/// What SQLite says of itself.
package enum SQLiteFacts {
  /// `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }
}
