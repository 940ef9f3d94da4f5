/// One of several parts of a manifest's files: `2/5` is the second of five. Which part a file belongs to follows from its
/// destination below the root alone, so it is the same on every machine and however the manifest is ordered.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// Which part, counted from 1.
  public let index: Int
  /// How many parts there are.
  public let count: Int

  /// A part, or nil where there is no such one.
  public init?(_ index: Int, of count: Int) {
    guard count >= 1, (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// A part as written, `I/N`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }),
      let index = Int(parts[0]), let count = Int(parts[1])
    else { return nil }
    self.init(index, of: count)
  }

  /// Whether a file belongs to the part.
  public func contains(_ destination: Destination) -> Bool {
    contains(destination.relativePath)
  }

  /// The same by what a file is called on every machine.
  package func contains(_ name: String) -> Bool {
    guard count > 1 else { return true }
    var hash = StableHash()
    hash.combine(name)
    return hash.finish() % UInt64(count) == UInt64(index - 1)
  }

  /// As it is written: `I/N`.
  public var description: String { "\(index)/\(count)" }
}
