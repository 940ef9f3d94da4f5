import CSQLite

/// One prepared statement of one connection. Bind every parameter (they count from 1), then step; when `step` answers
/// false or throws, the statement is ready to be bound again.
final class Statement {
  private let handle: OpaquePointer
  private unowned let connection: Connection
  private var bindStatus = SQLITE_OK

  init(_ sql: String, on connection: Connection) throws(StoreFailure) {
    var prepared: OpaquePointer?
    let status = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard status == SQLITE_OK, let prepared else { throw Connection.failure(of: connection.handle, status) }
    handle = prepared
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Goes to the next row; false when there is none.
  func step() throws(StoreFailure) -> Bool {
    guard bindStatus == SQLITE_OK else {
      defer { bindStatus = SQLITE_OK }
      throw Connection.failure(of: connection.handle, bindStatus)
    }
    let status = sqlite3_step(handle)
    if status == SQLITE_ROW { return true }
    defer { reset() }
    guard status == SQLITE_DONE else { throw Connection.failure(of: connection.handle, status) }
    return false
  }

  /// Runs a statement that has no rows.
  func run() throws(StoreFailure) {
    while try step() {}
  }

  /// Leaves the rows that are left unread.
  func reset() { sqlite3_reset(handle) }

  private func note(_ status: Int32) {
    if status != SQLITE_OK { bindStatus = status }
  }
}

extension Statement {
  // SQLite copies what is bound: the memory of a Swift value does not outlive the call.
  private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  func bind(_ index: Int32, _ value: Int64?) {
    note(value.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
  }

  func bind(_ index: Int32, _ value: Bool?) { bind(index, value.map { $0 ? 1 : 0 } as Int64?) }

  func bind(_ index: Int32, _ value: Double?) {
    note(value.map { sqlite3_bind_double(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
  }

  func bind(_ index: Int32, _ value: String?) {
    guard var value else { return note(sqlite3_bind_null(handle, index)) }
    // An empty buffer may have no address, and SQLite takes that for NULL.
    guard !value.isEmpty else { return note(sqlite3_bind_text(handle, index, "", 0, Self.copied)) }
    value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        note(sqlite3_bind_text(handle, index, text.baseAddress, Int32(text.count), Self.copied))
      }
    }
  }

  /// A text by its UTF-8.
  func bind(_ index: Int32, utf8 value: [UInt8]) {
    guard !value.isEmpty else { return note(sqlite3_bind_text(handle, index, "", 0, Self.copied)) }
    value.withUnsafeBytes { bytes in
      let text = bytes.bindMemory(to: CChar.self)
      note(sqlite3_bind_text(handle, index, text.baseAddress, Int32(text.count), Self.copied))
    }
  }

  func bind(_ index: Int32, _ value: [UInt8]?) {
    guard let value else { return note(sqlite3_bind_null(handle, index)) }
    guard !value.isEmpty else { return note(sqlite3_bind_zeroblob(handle, index, 0)) }
    value.withUnsafeBytes { bytes in
      note(sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), Self.copied))
    }
  }
}

extension Statement {
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func booleanOrNull(_ column: Int32) -> Bool? { isNull(column) ? nil : integer(column) != 0 }

  func integerOrNull(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String { textOrNull(column) ?? "" }

  func textOrNull(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Lets the body look at a text where SQLite has it; empty for NULL. What is no UTF-8 is as it is.
  func withText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_text(handle, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }

  /// Lets the body look at a blob where SQLite has it; empty for NULL.
  func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_blob(handle, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }
}
