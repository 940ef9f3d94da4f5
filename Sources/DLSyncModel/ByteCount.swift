/// A number of bytes: a size, a length, an amount that travelled. Never negative.
public struct ByteCount: Hashable, Comparable, Sendable {
  /// The number itself.
  public let bytes: Int64

  /// Makes a count; a negative number is a programming error.
  public init(_ bytes: Int64) {
    precondition(bytes >= 0, "a byte count is never negative")
    self.bytes = bytes
  }

  /// No bytes at all.
  public static let zero = ByteCount(0)

  /// The sum; beyond what the type holds, the largest count.
  public func adding(_ other: ByteCount) -> ByteCount {
    let (sum, overflow) = bytes.addingReportingOverflow(other.bytes)
    return ByteCount(overflow ? .max : sum)
  }

  /// Smaller amounts come first.
  public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}

extension ByteCount: CustomStringConvertible {
  private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// IEC units with one decimal, as people read it: `512 B`, `12.4 MiB`; halves go up. Independent of the locale.
  public var description: String {
    guard bytes >= 1024 else { return "\(bytes) B" }
    var unit = 1
    while unit < Self.units.count - 1, tenths(of: unit) >= 10_240 { unit += 1 }
    let tenths = tenths(of: unit)
    return "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
  }

  /// Tenths of a unit, rounded, in whole numbers all the way: no amount is too large.
  private func tenths(of unit: Int) -> UInt64 {
    let shift = UInt64(unit * 10)
    let (whole, rest) = (UInt64(bytes) >> shift, UInt64(bytes) & (1 << shift - 1))
    return whole * 10 + (rest * 10 + 1 << (shift - 1)) >> shift
  }
}
