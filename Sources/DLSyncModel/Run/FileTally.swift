/// Some files, and how many bytes they hold.
public struct FileTally: Hashable, Sendable {
  /// How many.
  public private(set) var count = 0
  /// Their bytes together.
  public private(set) var bytes = ByteCount.zero

  /// None.
  public init() {}

  /// Counts one more, of so many bytes.
  package mutating func add(_ size: Int64) {
    count += 1
    bytes = bytes.adding(ByteCount(max(0, size)))
  }
}
