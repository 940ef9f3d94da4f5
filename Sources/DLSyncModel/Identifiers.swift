/// The identity of a manifest: its `name`, else its canonical path. Queues and tasks of different scopes never mix. Two are
/// equal when their bytes are, as for paths: the forms of one Unicode character are different names.
public struct Scope: Hashable, Sendable, CustomStringConvertible {
  /// The text as recorded and shown.
  public let text: String
  /// Takes the text as it is.
  public init(_ text: String) { self.text = text }
  /// The text.
  public var description: String { text }

  /// Whether both are the same bytes.
  public static func == (left: Scope, right: Scope) -> Bool { left.text.hasSameBytes(as: right.text) }
  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

/// The name of a queue within its scope. Two are equal when their bytes are.
public struct QueueName: Hashable, Sendable, CustomStringConvertible {
  /// The text as the manifest spells it.
  public let text: String
  /// Takes the text as it is.
  public init(_ text: String) { self.text = text }
  /// The queue that always exists.
  public static let `default` = QueueName("default")
  /// The text.
  public var description: String { text }

  /// Whether both are the same bytes.
  public static func == (left: QueueName, right: QueueName) -> Bool { left.text.hasSameBytes(as: right.text) }
  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

/// The identity of one file of one queue: 48 bits, written as 12 hexadecimal digits, the same in every run and on every
/// machine because it is made from scope, queue and destination alone.
public struct TaskID: Hashable, Sendable, CustomStringConvertible {
  /// The 48 bits.
  public let value: UInt64

  /// The id of a file.
  public init(scope: Scope, queue: QueueName, destination: String) {
    var hash = Self.hash(scope, queue, beginning: [])
    hash.combine(destination)
    self.init(hash)
  }

  init(_ hash: StableHash) { value = hash.finish() >> 16 }

  /// What comes before a destination of which only the beginning is known.
  static func hash(_ scope: Scope, _ queue: QueueName, beginning: [UInt8]) -> StableHash {
    var hash = StableHash()
    hash.combine(scope.text)
    hash.combine(queue.text)
    beginning.withUnsafeBytes { hash.begin($0) }
    return hash
  }

  /// An id from its recorded number; bits beyond 48 are dropped.
  public init(value: UInt64) { self.value = value & 0xffff_ffff_ffff }

  /// An id as written, or nil when the text is not 12 hexadecimal digits.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 12, let value = UInt64(text, radix: 16), text.first != "+" else { return nil }
    self.value = value
  }

  /// Twelve lower-case hexadecimal digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 12 - digits.utf8.count) + digits
  }
}
