/// The keys of one kind of mapping: the single source for what is accepted, for the nearest name of one that is not, and
/// for how each value is read.
struct KeyTable<Target>: Sendable {
  /// Reads a value into its place, reporting what is wrong with it.
  typealias Decode = @Sendable (inout Target, NodeRef, DecodingState) -> Void

  /// An object, because a million entries look at each of its keys.
  final class Key: Sendable {
    let name: String
    let bytes: [UInt8]
    let isRequired: Bool
    /// Whether `decode` is called for a null too; otherwise null is the same as leaving the key out.
    let takesNull: Bool
    /// What the value looks like, for the schema.
    let shape: ValueShape
    let decode: Decode

    init(
      _ name: String, _ shape: ValueShape, isRequired: Bool = false, takesNull: Bool = false, decode: @escaping Decode
    ) {
      self.name = name
      self.shape = shape
      bytes = Array(name.utf8)
      self.isRequired = isRequired
      self.takesNull = takesNull
      self.decode = decode
    }
  }

  let keys: [Key]
  /// Length and first bytes of each key: most of what is compared.
  private let heads: [UInt64]
  /// The places of the keys that must be there.
  let required: [Int]
  /// Keys that exist elsewhere but not here, and why.
  let refused: [String: String]

  init(_ keys: [Key], refused: [String: String] = [:]) {
    self.keys = keys
    heads = keys.map { key in key.bytes.withUnsafeBufferPointer(Self.head) }
    required = keys.indices.filter { keys[$0].isRequired }
    self.refused = refused
  }

  /// The same keys less some, for each of which a reason is given.
  func without(_ refused: [String: String]) -> KeyTable {
    KeyTable(keys.filter { refused[$0.name] == nil }, refused: refused)
  }

  /// The place of a key in `keys`.
  func index(of node: NodeRef) -> Int? {
    node.withBytes { bytes in
      let head = Self.head(bytes)
      for index in heads.indices where heads[index] == head && keys[index].bytes.elementsEqual(bytes) { return index }
      return nil
    }
  }

  private static func head(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    bytes.prefix(7).reduce(UInt64(min(bytes.count, 255))) { $0 << 8 | UInt64($1) }
  }
}
