package import DLSyncModel
import DLSyncSystem
import Glibc

/// A file that is read from its beginning to its end, block by block.
package final class FileBlocks {
  private static let blockSize = 256 * 1024

  private let descriptor: Int32
  private let path: String

  /// Opens a regular file, a pipe or a device. A folder, a missing or an unreadable file is `usage`, with the path.
  package init(_ path: String) throws(DLSyncError) {
    self.path = path
    descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    guard descriptor >= 0 else { throw FileText.failure(.last, path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next block; nothing at the end.
  package func read() throws(DLSyncError) -> [UInt8] {
    var problem: SystemTrouble?
    let block = [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, count in
      let read = uninterrupted { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
      if read < 0 { problem = .last }
      count = max(0, read)
    }
    if let problem { throw FileText.failure(problem, path) }
    return block
  }
}
