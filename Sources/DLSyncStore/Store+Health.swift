package import DLSyncModel
import DLSyncSystem
import Glibc

extension Store {
  /// What SQLite finds wrong with any page or index, and rows that refer to nothing: one sentence each, none where all is
  /// well. Reads the whole database and changes nothing.
  package func troubles() throws(DLSyncError) -> [String] {
    try reading { (connection) throws(StoreFailure) in try HealthQuery(connection: connection).troubles() }
  }

  /// Whatever of a state folder is open to others than its owner, the folder itself included, with its mode bits.
  package static func exposedFiles(folder: String) -> [(path: String, mode: UInt16)] {
    let run = folder + "/run"
    // Whoever names a folder of many uses is told of that folder, and of no file in it but ours.
    let own = names(in: folder).filter { $0.hasPrefix(folder + "/state.db") }
    return ([folder, run] + own + names(in: run)).compactMap { path in
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK, status.st_mode & 0o077 != 0 else {
        return nil
      }
      return (path, UInt16(status.st_mode & 0o7777))
    }
  }

  /// The files that a state consists of, whether they are there or not, and those of its running queues.
  package static func files(folder: String) -> [String] {
    let database = StateFiles(folder: folder).database
    return ["", "-wal", "-shm", "-journal"].map { database + $0 } + names(in: folder + "/run")
  }

  /// What can be read of a scope's tasks, however damaged the database: it may be nothing, and is not what was recorded last
  /// where the log is damaged too.
  package static func salvage(folder: String, scope: Scope) -> [StoredTask] {
    Salvage(files: StateFiles(folder: folder)).tasks(of: scope)
  }

  /// The scopes that have tasks in a state, however damaged, as far as they can be read.
  package static func salvagedScopes(folder: String) -> [Scope] { Salvage(files: StateFiles(folder: folder)).scopes() }

  /// Throws where a database is there and must not be replaced: one of a newer version, one that is not dlsync's, or something
  /// that is no file, or that cannot be looked at. Damage is no reason.
  package static func requireReplaceable(folder: String) throws(DLSyncError) {
    let files = StateFiles(folder: folder)
    do throws(StoreFailure) {
      guard try files.resolvedDatabase() != nil else { return }
      _ = try ReadOnlyAccess(files: files, schema: .current, patience: .seconds(20)).version()
    } catch {
      if !error.isDamage { throw error.words(files) }
    }
  }

  /// Gives the database and its companions other names, whatever their condition, so that a new one can be made. Answers the
  /// new names; nothing is ever deleted.
  package static func setAside(folder: String) throws(DLSyncError) -> [String] {
    let files = StateFiles(folder: folder)
    do throws(StoreFailure) { return try files.setAside(patience: .seconds(20)) } catch { throw error.words(files) }
  }

  private static func names(in folder: String) -> [String] {
    FolderNames.of(folder).sorted().map { folder + "/" + $0 }
  }
}
