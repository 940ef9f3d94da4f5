/// Bounds what aliases may expand to, so that a small text cannot ask for unbounded work: a fixed amount, and more in
/// proportion to what was really written.
struct AliasBudget {
  /// Stands in for what was not expanded.
  static var nothing: NodeRef {
    let tree = Tree()
    tree.nodes.append(
      Tree.Node(kind: .broken, isPlain: false, place: TextPosition(1, 1), start: 0, length: 0, end: 1))
    return NodeRef(tree: tree, index: 0)
  }

  /// A flag that is seen once.
  struct Flag {
    private(set) var isSet = false
    private var isTaken = false

    mutating func set() { isSet = true }

    /// Whether it is set and this is the first time that somebody asks.
    mutating func take() -> Bool {
      guard isSet, !isTaken else { return false }
      isTaken = true
      return true
    }
  }

  private static let base = 200_000
  private static let partsPerNode = 16

  /// What was paid for so far.
  private(set) var spent = 0
  /// Set while what is expanded is paid for already.
  var isPaid = false
  /// How many nodes were written so far.
  var written = 0
  /// Set once too much was asked for.
  var isExhausted = Flag()

  /// How many parts aliases may stand for in all.
  var limit: Int { Self.base + Self.partsPerNode * written }

  /// Entries of a matrix that is not written where it is used, for the price of one part.
  static let entriesPerPart = 4
  /// How many parts a matrix may have its aliases expanded to.
  static let greatestMatrix = 64_000_000

  /// Pays for the expansion of so many nodes; false when that is too much.
  mutating func spend(_ nodes: Int) -> Bool {
    guard !isPaid else { return !isExhausted.isSet }
    spent += nodes
    if spent > limit { isExhausted.set() }
    return !isExhausted.isSet
  }
}
