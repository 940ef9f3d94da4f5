/// One node of a tree.
struct NodeRef {
  let tree: Tree
  let index: Int

  private var node: Tree.Node { tree.nodes[index] }

  var kind: Tree.Node.Kind { node.kind }
  var place: TextPosition { node.place }
  /// A scalar without quotes.
  var isPlain: Bool { node.isPlain }
  /// How many nodes the subtree has.
  var count: Int { Int(node.end) - index }

  /// What an alias refers to.
  var target: NodeRef { tree.targets[Int(node.start)] }

  /// The bytes of a scalar.
  func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let node = node
    return tree.text.withUnsafeBufferPointer { text in
      body(UnsafeBufferPointer(rebasing: text[Int(node.start)..<Int(node.start) + Int(node.length)]))
    }
  }

  /// The text of a scalar.
  var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Whether a scalar may name a variable.
  var holdsDollar: Bool { withBytes { $0.contains(UInt8(ascii: "$")) } }

  /// A scalar without quotes that reads as a number.
  var isNumber: Bool {
    kind == .scalar && isPlain && (text.utf8.first.map { $0 < 0x3a } ?? false) && Double(text) != nil
  }

  /// YAML's several ways to write nothing: no text at all, `~`, `null`, all without quotes.
  var isNull: Bool {
    let node = node
    guard node.kind == .scalar, node.isPlain, node.length <= 4 else { return false }
    return withBytes { bytes in
      switch bytes.count {
      case 0: true
      case 1: bytes[0] == UInt8(ascii: "~")
      case 4: bytes.elementsEqual("null".utf8) || bytes.elementsEqual("Null".utf8) || bytes.elementsEqual("NULL".utf8)
      default: false
      }
    }
  }

  /// The merge key of YAML 1.1 (https://yaml.org/type/merge.html).
  var isMergeKey: Bool {
    isPlain && withBytes { $0.count == 2 && $0[0] == UInt8(ascii: "<") && $0[1] == UInt8(ascii: "<") }
  }

  /// The nodes directly below, in order: the items of a list; keys and values of a mapping in turn.
  var children: Children { Children(tree: tree, upcoming: index + 1, end: Int(node.end)) }

  struct Children: Sequence, IteratorProtocol {
    let tree: Tree
    var upcoming: Int
    let end: Int

    mutating func next() -> NodeRef? {
      guard upcoming < end else { return nil }
      defer { upcoming = Int(tree.nodes[upcoming].end) }
      return NodeRef(tree: tree, index: upcoming)
    }
  }
}
