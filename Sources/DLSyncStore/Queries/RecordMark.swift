/// What the files of a record look like, which costs two system calls: another mark means that somebody wrote.
package struct RecordMark: Equatable, Sendable {
  private let database: StateFiles.Stamp?
  private let log: StateFiles.Stamp?

  /// As they are now, also where there are none.
  package init(folder: String) {
    let files = StateFiles(folder: folder)
    let path = (try? files.resolvedDatabase()) ?? files.database
    database = StateFiles.stamp(path)
    log = StateFiles.stamp(path + "-wal")
  }
}
