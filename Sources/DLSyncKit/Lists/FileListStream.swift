internal import DLSyncDisk
internal import DLSyncManifest
internal import DLSyncModel

/// Lets the manifest's decoder read a list from the disk.
final class FileListStream: ListStream {
  private let file: FileBlocks

  init(_ file: FileBlocks) { self.file = file }

  func read() throws(DLSyncError) -> [UInt8] { try file.read() }
}
