internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import Glibc

extension Workspace {
  /// Looks at everything that the state consists of: the database and every page of it, who may read the files, and partial
  /// data that no run will go on with. Changes nothing.
  @concurrent public func checkState() async -> StateReport {
    var report = StateReport(database: stateFolder + "/state.db")
    var notices: [StateReport.Finding] = []
    do throws(DLSyncError) {
      if let store = try await Store.open(folder: stateFolder, access: .read) {
        report.isThere = true
        for trouble in try await store.troubles() { report.findings.append(.damaged(report.database, trouble)) }
        let tasks = try await store.taskSnapshots(of: nil)
        report.taskCount = tasks.count
        notices = orphanedParts(of: tasks)
        await store.close()
      }
    } catch {
      report.isThere = true
      report.findings.append(.unusable(report.database, error))
    }
    var status = stat()
    if stat(locksFolder, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
      report.findings.append(.noFolder(locksFolder))
    }
    report.findings += Store.exposedFiles(folder: stateFolder).map { .exposed($0.path, mode: $0.mode) }
    report.findings += notices
    return report
  }

  /// Partial data beside recorded destinations that is nobody's: its task is finished or forgotten, or it bears the name of a
  /// process that ended.
  private func orphanedParts(of tasks: [TaskSnapshot]) -> [StateReport.Finding] {
    let unfinished = unfinished(of: tasks)
    return findParts(in: folders(of: tasks)) { id, isUsual in !isUsual || !unfinished.contains(id) }
      .map { .orphaned($0) }
  }

  /// The folders in which partial data may lie.
  func folders(of tasks: [TaskSnapshot]) -> Set<BytewiseText> {
    Set(tasks.map { BytewiseText($0.destination.parentPath) })
  }

  /// The tasks that a later run goes on with.
  func unfinished(of tasks: [TaskSnapshot]) -> Set<TaskID> {
    Set(tasks.filter { $0.state != .completed && $0.state != .canceled }.map(\.id))
  }
}

extension StateReport.Finding {
  private static let rebuild =
    "dlsync state rebuild MANIFEST… makes a new state from the files on disk and the manifests, so name all of yours; the old"
    + " one is kept"

  fileprivate static func damaged(_ path: String, _ trouble: String) -> Self {
    Self(severity: .unusable, path: path, message: trouble, hint: rebuild)
  }

  /// Elsewhere the hint leads here; from here it leads on.
  fileprivate static func unusable(_ path: String, _ error: DLSyncError) -> Self {
    let leadsHere = error.hint?.contains("state rebuild") ?? false
    return Self(severity: .unusable, path: path, message: error.message, hint: leadsHere ? rebuild : error.hint)
  }

  fileprivate static func noFolder(_ path: String) -> Self {
    Self(
      severity: .unusable, path: path, message: "it is no folder, so no queue can be locked there", hint: "move it away"
    )
  }

  fileprivate static func exposed(_ path: String, mode: UInt16) -> Self {
    Self(
      severity: .trouble, path: path, message: "others than its owner may use it (mode \(String(mode, radix: 8)))",
      hint: "take that from them: chmod go= '\(path)'")
  }

  fileprivate static func orphaned(_ part: FoundPart) -> Self {
    Self(
      severity: .notice, path: part.path,
      message: "partial data of task \(part.task) that no run will go on with (\(part.diskBytes))",
      hint: "it may be deleted")
  }
}
