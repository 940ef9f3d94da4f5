// Numbers within bytes, as they lie in memory: for values that never leave the process.
extension [UInt8] {
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int, as: Number.Type = Number.self) -> Number {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
  }
}
