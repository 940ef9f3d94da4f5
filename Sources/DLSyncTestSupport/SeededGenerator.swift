/// A generator of random numbers that gives the same sequence for the same seed (SplitMix64). Print the seed where a
/// test fails: `"\(generator)"` does.
package struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
  /// What the sequence grew from.
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// So many bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var index = 0
      while index < count {
        var word = next()
        for _ in 0..<min(8, count - index) {
          buffer[index] = UInt8(truncatingIfNeeded: word)
          word >>= 8
          index += 1
        }
      }
      initialized = count
    }
  }

  /// `seed 42`.
  package var description: String { "seed \(seed)" }
}

/// Bytes without a pattern, the same for the same count and seed.
package func payload(count: Int, seed: UInt64 = 1) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  return generator.bytes(count)
}
