import CSQLite

/// What went wrong below the store, before it is put into words for people.
struct StoreFailure: Error {
  enum Kind {
    /// SQLite's extended result code, and the errno underneath (0: none).
    case sqlite(Int32, errno: Int32)
    /// A system call on the folder or one of its files.
    case system(errno: Int32)
    /// Written by a later version; its number and the one that this version knows.
    case tooNew(Int64, known: Int64)
    /// It is a database, but not one of dlsync.
    case foreign
    /// It is one of dlsync, but what should be in it is not.
    case damaged
    /// The folder or the file is of the wrong kind.
    case wrongKind
    /// The file is not where it was opened any more.
    case moved
    /// Somebody holds the lock for longer than we wait.
    case locked
  }

  let kind: Kind
  /// SQLite's own words, or what could not be done.
  let text: String

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

extension StoreFailure {
  /// Whether what is in the database is the trouble, rather than what it is or who may have it.
  var isDamage: Bool {
    switch kind {
    case .damaged: true
    case .sqlite(let code, _):
      [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH].contains(code & 0xff)
    default: false
    }
  }
}
