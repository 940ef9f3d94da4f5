package import DLSyncModel
import Glibc

/// The bytes that this user may still write to the file system of a destination, or nil where it does not tell. Asked of
/// the nearest folder that exists.
package func freeSpace(for destination: Destination) -> ByteCount? {
  var path = destination.folder
  while true {
    var result = statvfs()
    if uninterrupted({ statvfs(path, &result) }) == 0 { return ByteCount(result) }
    guard errno == ENOENT || errno == ENOTDIR, path != "/",
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return nil }
    path = slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension ByteCount {
  /// The free bytes of a file system; nil for one that has no size of its own.
  init?(_ fileSystem: statvfs) {
    guard fileSystem.f_blocks > 0 else { return nil }
    let (bytes, overflow) = UInt64(fileSystem.f_bavail).multipliedReportingOverflow(by: UInt64(fileSystem.f_frsize))
    self.init(overflow ? .max : Int64(clamping: bytes))
  }
}
