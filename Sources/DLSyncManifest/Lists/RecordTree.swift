/// Builds the tree of one record of a list, as if it stood in a manifest: the keys' own decoders read it.
struct RecordTree {
  let tree: Tree
  private var open: [Int] = []

  init(reusing tree: Tree) {
    self.tree = tree
    tree.clear()
  }

  /// The root: what was added first.
  var root: NodeRef { NodeRef(tree: tree, index: 0) }

  /// Adds a text. A plain one may mean "nothing", as `null` does.
  mutating func add(_ bytes: some Sequence<UInt8>, at place: TextPosition, isPlain: Bool = false) {
    let start = tree.text.count
    tree.text.append(contentsOf: bytes)
    append(.scalar, isPlain: isPlain, place, start: start, length: tree.text.count - start)
  }

  /// Begins a mapping or a sequence; what is added until `end` belongs to it.
  mutating func begin(_ kind: Tree.Node.Kind, at place: TextPosition) {
    open.append(tree.nodes.count)
    append(kind, isPlain: false, place, start: 0, length: 0)
  }

  /// Ends the last one that was begun.
  mutating func end() {
    let index = open.removeLast()
    tree.nodes[index].end = Int32(truncatingIfNeeded: tree.nodes.count)
  }

  private mutating func append(
    _ kind: Tree.Node.Kind, isPlain: Bool, _ place: TextPosition, start: Int, length: Int
  ) {
    tree.nodes.append(
      Tree.Node(
        kind: kind, isPlain: isPlain, place: place, start: Int32(truncatingIfNeeded: start),
        length: Int32(truncatingIfNeeded: length), end: Int32(truncatingIfNeeded: tree.nodes.count + 1)))
  }
}

/// Columns of a line, counted in Unicode scalars, for places that are asked for in ascending order.
struct ColumnCounter {
  private let line: ArraySlice<UInt8>
  private var offset: Int
  private var column = 1

  init(_ line: ArraySlice<UInt8>) {
    self.line = line
    offset = line.startIndex
  }

  /// The column of the byte at an index of the line.
  mutating func column(of index: Int) -> Int {
    while offset < index {
      if line[offset] & 0xc0 != 0x80 { column += 1 }
      offset += 1
    }
    return column
  }
}
