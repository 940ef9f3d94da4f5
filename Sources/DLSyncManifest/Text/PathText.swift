import DLSyncModel

/// Paths of a manifest, resolved by their text alone.
package enum PathText {
  enum Problem: Error, Equatable {
    case empty
    case holdsNUL
    /// `~` without a home folder in the environment.
    case noHome
    /// `~name`: another user's home folder.
    case otherHome
    /// A URL, or the name of a remote store: the scheme.
    case remote(String)
  }

  /// Schemes of remote and virtual places that are written without `//` too.
  private static let remoteSchemes: Set<String> = [
    "abfs", "abfss", "adl", "azure", "az", "b2", "cos", "data", "dav", "davs", "dropbox", "file", "ftp", "ftps", "gcs",
    "gdrive", "gs", "hdfs", "hf", "http", "https", "ipfs", "ipns", "magnet", "memory", "nfs", "obs", "onedrive", "oss",
    "r2", "rclone", "rsync", "s3", "s3a", "s3n", "scp", "sftp", "smb", "cifs", "ssh", "swift", "wasb", "wasbs",
    "webdav", "webdavs",
  ]

  /// An absolute path without `.`, `..`, doubled and trailing slashes.
  static func resolve(_ text: String, in folder: String, home: String?) throws(Problem) -> String {
    guard !text.isEmpty else { throw .empty }
    guard !text.utf8.contains(0) else { throw .holdsNUL }
    if let scheme = remoteScheme(text) { throw .remote(scheme) }
    if text.isAbsolutePath { return normalised(text) }
    guard text.utf8.first == UInt8(ascii: "~") else { return normalised(folder + "/" + text) }
    guard text == "~" || text.beginsBytewise(with: "~/") else { throw .otherHome }
    guard let home, home.isAbsolutePath else { throw .noHome }
    return normalised(home + text.dropFirst())
  }

  /// The scheme of a text that names a remote or virtual place. A single letter, or a colon in a usual name, is none.
  package static func remoteScheme(_ text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = text[..<colon].lowercased()
    guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return nil }
    let isScheme = scheme.utf8.dropFirst().allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || NumberText.isDigit(byte) || "+-.".utf8.contains(byte)
    }
    guard isScheme else { return nil }
    return text.utf8[text.utf8.index(after: colon)...].starts(with: "//".utf8) || remoteSchemes.contains(scheme)
      ? scheme : nil
  }

  private static func normalised(_ path: String) -> String {
    var components: [Substring] = []
    for component in path.pathComponents where component != "." {
      if component == ".." { _ = components.popLast() } else { components.append(component) }
    }
    return "/" + components.joined(separator: "/")
  }
}
