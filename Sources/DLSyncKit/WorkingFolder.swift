internal import DLSyncDisk
internal import DLSyncModel

/// The folder that the process works in: where relative paths begin.
enum WorkingFolder {
  /// A path as it is where it begins with a slash, else from this folder. `usage` where the folder was removed.
  static func absolute(_ path: String) throws(DLSyncError) -> String {
    path.isAbsolutePath ? path : try FileText.canonicalPath(".") + "/" + path
  }
}
