/// An entry that is about to be packed: its numbers, and texts that lie where they were read.
struct EntryDraft {
  let id: TaskID
  let url: UnsafeRawBufferPointer
  /// The destination behind what its shape says of it.
  let path: UnsafeRawBufferPointer
  /// As `PackedDigests` has them.
  let digests: UnsafeRawBufferPointer
  let size: ByteCount?
  let priority: Double
  let line: Int32
  let column: Int32
}
