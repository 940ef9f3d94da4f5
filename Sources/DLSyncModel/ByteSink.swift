/// Where the bytes of a transfer go. Called on the transfer thread only, one call after another.
package protocol ByteSink: AnyObject, Sendable {
  /// Puts bytes at their offset in the resource. Throws what the file system says; the transfer then ends with it.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DLSyncError)
}
