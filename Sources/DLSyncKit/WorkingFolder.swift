internal import DLSyncDisk
internal import DLSyncModel

/// The folder that the process works in: where relative paths begin.
enum WorkingFolder {
  /// A path as it is where it begins with a slash, else from this folder. `usage` where the folder was removed.
  static func absolute(_ path: String) throws(DLSyncError) -> String {
    path.isAbsolutePath ? path : try FileText.canonicalPath(".") + "/" + path
  }

  /// The same of a folder, spelled in one way: without dot segments, doubled slashes and one at the end. Where the folder to
  /// begin from was removed, the path stays as it is, and what is opened below it fails.
  static func folder(_ path: String) -> String {
    guard let whole = try? absolute(path) else { return path }
    // What `..` leads to behind a link is for the system to tell.
    if whole.split(separator: "/").contains(".."), let path = try? FileText.canonicalPath(whole) { return path }
    return (try? Destination(whole + "/state", root: "/"))?.folder ?? whole
  }

  /// What an absolute path, or a pattern of such, is without links on the way to its last part; nil where that is the same.
  /// A manifest below a linked home folder has the places that the links lead to.
  static func withoutLinks(_ path: String) -> String? {
    guard path.isAbsolutePath else { return nil }
    var folder = Substring(path.unicodeScalars.prefix { !GlobPattern.isSign($0) })
    while let slash = folder.lastIndex(of: "/"), slash > path.startIndex {
      folder = path[..<slash]
      guard let real = try? FileText.canonicalPath(String(folder)) else { continue }
      return real.hasSameBytes(as: String(folder)) ? nil : real + path[slash...]
    }
    return nil
  }
}
