import CPosix
import DLSyncModel

/// Starts the writing of large files while they still grow, so that the last flush is short and the flush of small files
/// on the same file system does not wait for gigabytes.
enum WriteBack {
  private static let window: Int64 = 8 << 20

  /// Nothing comes any more: what is dirty goes to the device while the rest is still hashed.
  static func startAll(_ descriptor: Int32) { _ = dl_sync_file_range(descriptor, 0, 0) }

  /// Called for every stretch in turn; acts when a window of 8 MiB is complete.
  static func start(_ descriptor: Int32, behind range: ByteRange) {
    let complete = range.upper / window * window
    guard complete > range.lower / window * window else { return }
    // A hint: where it is not supported the final flush does all the work.
    _ = dl_sync_file_range(descriptor, complete - window, window)
  }
}
