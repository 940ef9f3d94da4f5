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

  /// Smaller amounts come first.
  public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}

extension ByteCount: CustomStringConvertible {
  private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// IEC units with one decimal, as people read it: `512 B`, `12.4 MiB`. Independent of the locale.
  public var description: String {
    guard bytes >= 1024 else { return "\(bytes) B" }
    var unit = 0
    var scaled = Double(bytes)
    while scaled >= 1023.95, unit < Self.units.count - 1 {
      scaled /= 1024
      unit += 1
    }
    let tenths = Int64((scaled * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
  }
}
