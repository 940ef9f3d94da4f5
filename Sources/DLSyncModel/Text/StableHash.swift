/// A 64-bit hash that is the same in every process, on every machine and in every release: FNV-1a over length-delimited
/// parts, finished with the mixer of SplitMix64. For identities and change detection, not against an adversary.
package struct StableHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
  }

  /// The same for the bytes of a text.
  package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    begin(bytes)
    mix(0xff)  // no UTF-8 text holds this byte, so "ab","c" and "a","bc" differ
  }

  /// The beginning of a text whose rest is combined next.
  package mutating func begin(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { mix(byte) }
  }

  package mutating func combine(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }

  package func finish() -> UInt64 {
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  private mutating func mix(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
}
