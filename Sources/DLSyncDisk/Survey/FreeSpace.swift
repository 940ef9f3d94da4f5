package import DLSyncModel
import DLSyncSystem
import Glibc

/// The bytes that this user may still write to the file system of a destination, or nil where it does not tell. Asked of
/// the nearest folder that exists.
package func freeSpace(for destination: Destination) -> ByteCount? {
  nearest(to: destination.folder) { path in
    var result = statvfs()
    return uninterrupted { statvfs(path, &result) } == 0 ? .some(ByteCount(result)) : nil
  } ?? nil
}

/// The file system that a destination is, or will be, on: the device number of the nearest folder that exists.
package func fileSystem(of destination: Destination) -> UInt64? {
  nearest(to: destination.folder) { path in
    var result = stat()
    return stat(path, &result) == 0 ? UInt64(result.st_dev) : nil
  }
}

/// What a look finds at a path, or at the nearest folder above that is there; nil where the system does not tell.
private func nearest<Value>(to path: String, _ look: (String) -> Value?) -> Value? {
  var path = path
  while true {
    if let value = look(path) { return value }
    guard errno == ENOENT || errno == ENOTDIR, path != "/" else { return nil }
    path = path.parentPath
  }
}

extension PartFile {
  /// The bytes of the disk that an earlier run's partial data of this file takes up; whoever begins anew gets them back.
  package static func leftoverBytes(of entry: FileEntry) -> Int64 {
    guard let folder = try? Folder.open(of: entry.destination, creating: false),
      let found = try? status(folder.descriptor, PartClaim.name(entry.id)), found.isRegularFile
    else { return 0 }
    return Int64(found.st_blocks) * 512
  }

  /// The bytes of the disk that it takes up by now; nil as long as there is no file.
  package var diskBytes: Int64? {
    guard let file = body.file else { return nil }
    let blocks = try? file.descriptor.use { descriptor throws(SystemTrouble) in try status(descriptor).st_blocks }
    return Int64(blocks ?? 0) * 512
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
