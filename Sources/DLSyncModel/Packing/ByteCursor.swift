/// Writes values one behind the other, as they lie in memory: for bytes that never leave the process.
struct ByteCursor {
  private(set) var place: UnsafeMutableRawPointer

  init(_ place: UnsafeMutableRawPointer) { self.place = place }

  mutating func put<Value: BitwiseCopyable>(_ value: Value) {
    place.storeBytes(of: value, as: Value.self)
    place += MemoryLayout<Value>.size
  }

  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.baseAddress else { return }
    place.copyMemory(from: first, byteCount: bytes.count)
    place += bytes.count
  }
}
