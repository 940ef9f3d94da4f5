/// What a task is named by, where it comes from, and what it must be, as bytes that lie where they were read.
package struct TaskTexts {
  let destination: UnsafeRawBufferPointer
  let url: UnsafeRawBufferPointer
  /// As `PackedDigests` has them.
  let checksums: UnsafeRawBufferPointer

  package init(
    destination: UnsafeRawBufferPointer, url: UnsafeRawBufferPointer, checksums: UnsafeRawBufferPointer
  ) {
    self.destination = destination
    self.url = url
    self.checksums = checksums
  }
}
