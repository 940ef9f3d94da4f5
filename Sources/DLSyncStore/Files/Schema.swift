/// The shape of the database, as the list of steps that lead to it. A step that was released never changes.
struct Schema: Sendable {
  /// `dlsy`: tells a state from any other database.
  static let applicationID: Int64 = 0x646c_7379

  /// Step n leads from version n to version n + 1 (`PRAGMA user_version`).
  let steps: [String]
  /// What must be there at the last version.
  let tables: Set<String>

  var version: Int64 { Int64(steps.count) }

  static let current = Schema(
    steps: [version1, version2, version3, version4, version5, version6],
    tables: [
      "scope", "queue", "task", "response", "failure", "intent", "piece", "request", "standing", "progress", "work",
      "log", "handed",
    ])

  /// Which version a database has. Throws when it is none of ours, too new, or lacks a table.
  func verify(_ connection: Connection) throws(StoreFailure) -> Int64 {
    let version = try connection.integer("PRAGMA user_version") ?? 0
    guard try connection.integer("PRAGMA application_id") == Self.applicationID else {
      throw StoreFailure(.foreign, "it is not a state of dlsync")
    }
    guard version <= self.version else {
      throw StoreFailure(.tooNew(version, known: self.version), "its version is \(version)")
    }
    guard version > 0 else { throw StoreFailure(.damaged, "it has no version") }
    if version == self.version { try verifyTables(connection) }
    return version
  }

  private func verifyTables(_ connection: Connection) throws(StoreFailure) {
    var missing = tables
    let names = try connection.statement("SELECT name FROM sqlite_schema WHERE type = 'table'")
    while try names.step() { missing.remove(names.text(0)) }
    guard let one = missing.min() else { return }
    throw StoreFailure(.damaged, "it has no table \"\(one)\"")
  }

  /// Brings a database to the last version. Runs within the caller's transaction.
  func migrate(_ connection: Connection, from version: Int64) throws(StoreFailure) {
    for step in steps[Int(version)...] { try connection.execute(step) }
    try connection.execute("PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(self.version)")
  }

  /// The bytes of a new database of the last version, ready for several processes at once.
  func emptyImage() throws(StoreFailure) -> [UInt8] {
    let connection = try Connection.inMemory()
    try connection.transaction(.write) { () throws(StoreFailure) in try migrate(connection, from: 0) }
    var image = try connection.image()
    // Write and read version 2 of the file's header: write-ahead log. (SQLite's file format, section 1.3.) Made so from
    // the beginning, because switching a database that others open needs it alone.
    image[18] = 2
    image[19] = 2
    return image
  }
}

extension Schema {
  // Digests are spread evenly, so an entry of the index for each file that comes would touch a page of its own with each:
  // most of what a run of small files writes. They are entered together, see `FingerprintIndex`.
  private static let version6 = """
    DROP INDEX taskFingerprint;
    ALTER TABLE task ADD COLUMN isFiled INTEGER NOT NULL DEFAULT 1;  -- 0: published, and yet to be entered in taskFiled
    CREATE INDEX taskFiled ON task (fingerprint) WHERE isFiled = 1 AND fingerprint IS NOT NULL;
    CREATE INDEX taskUnfiled ON task (isFiled) WHERE isFiled = 0;
    """

  // Bytes that were published are found by what they are. Files that are on their way are not in it.
  private static let version5 = "CREATE INDEX taskFingerprint ON task (fingerprint) WHERE fingerprint IS NOT NULL;"

  // A refresh and a changed list are told by these.
  private static let version3 = """
    ALTER TABLE task ADD COLUMN listMark INTEGER NOT NULL DEFAULT 0;  -- of the checksums that stand in lists
    ALTER TABLE task ADD COLUMN checkedAt INTEGER;  -- when a server last vouched for the published file
    """

  // `task.number` follows the manifest's order, so scans and imports run through memory in one direction; ids are spread
  // evenly. What few tasks have, or what is long and seldom read, has a table of its own: scans stay short.
  private static let version1 = """
    CREATE TABLE scope (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE queue (
      number INTEGER PRIMARY KEY,
      scope INTEGER NOT NULL REFERENCES scope,
      name TEXT NOT NULL,
      settings TEXT NOT NULL,  -- key=value lines
      UNIQUE (scope, name)
    ) STRICT;
    CREATE TABLE task (
      number INTEGER PRIMARY KEY,
      id INTEGER NOT NULL UNIQUE,
      wanted INTEGER NOT NULL,  -- a hash of what the manifest says of the file
      scope INTEGER NOT NULL REFERENCES scope,
      queue INTEGER NOT NULL REFERENCES queue,
      state INTEGER NOT NULL,
      priority REAL NOT NULL,
      declaredSize INTEGER,
      permissions INTEGER,
      confirmed INTEGER NOT NULL DEFAULT 0,  -- bytes in pieces that an attempt may build upon
      total INTEGER,  -- the resource's length as the server told it
      attempts INTEGER NOT NULL DEFAULT 0,
      destination TEXT NOT NULL UNIQUE,
      url TEXT NOT NULL,  -- without credentials
      checksums BLOB NOT NULL,
      fingerprint BLOB,  -- the published file: this and the next seven, all or none
      device INTEGER,
      inode INTEGER,
      size INTEGER,
      modified INTEGER,
      changed INTEGER,
      mode INTEGER,
      recordedAt INTEGER,
      createdAt INTEGER NOT NULL,  -- nanoseconds since 1970, like all moments
      startedAt INTEGER,
      updatedAt INTEGER NOT NULL,
      finishedAt INTEGER
    ) STRICT;
    CREATE TABLE response (
      task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
      statusCode INTEGER,
      finalURL TEXT NOT NULL,  -- without credentials
      headers TEXT NOT NULL,  -- name: value lines, none that carry secrets
      isResumable INTEGER,
      validator TEXT
    ) STRICT;
    CREATE TABLE failure (
      task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
      code TEXT NOT NULL,
      message TEXT NOT NULL,
      hint TEXT,
      isRetryable INTEGER NOT NULL,
      statusCode INTEGER,
      retryAfter REAL,
      underlying TEXT
    ) STRICT;
    CREATE TABLE intent (  -- files on the way to their final name
      task INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
      fingerprint BLOB NOT NULL,
      device INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      changed INTEGER NOT NULL,
      mode INTEGER NOT NULL,
      recordedAt INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE piece (  -- bytes that are durable in the partial file, and their digest
      task INTEGER NOT NULL REFERENCES task ON DELETE CASCADE,
      lower INTEGER NOT NULL,
      upper INTEGER NOT NULL,
      kind INTEGER NOT NULL,  -- 1: of everything before upper, 2: of the piece
      digest BLOB NOT NULL,
      PRIMARY KEY (task, lower)
    ) STRICT, WITHOUT ROWID;
    """
}
