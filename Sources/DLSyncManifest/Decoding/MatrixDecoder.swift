import DLSyncModel

/// Reads `matrix`: names and the values that each takes.
struct MatrixDecoder {
  /// How many entries one matrix may stand for.
  private static let greatestCount = 1_000_000

  let state: DecodingState

  /// The matrix of an entry with these keys, nil where it has none. One that is wrong is reported, and its names stay
  /// known, so that nothing is said of the texts that use them.
  func decode(_ pairs: [Pair], of entry: NodeRef) -> Matrix? {
    guard let pair = pairs.first(where: { $0.key.withBytes { $0.elementsEqual("matrix".utf8) } }) else { return nil }
    let node = state.resolved(pair.value)
    guard !node.isNull, node.kind != .broken else { return nil }
    return state.descend(.key("matrix")) {
      guard let matrix = read(node) else { return nil }
      // A matrix that is written once and used often multiplies like any other alias.
      let isBorrowed = entry.kind == .alias || node.tree !== entry.tree || pair.value.tree !== entry.tree
      guard !isBorrowed || state.affords(matrix.count / AliasBudget.entriesPerPart, at: pair.value) else { return nil }
      return matrix
    }
  }

  private func read(_ node: NodeRef) -> Matrix? {
    guard let pairs = state.pairs(node, expected: "a mapping from names to lists") else { return nil }
    var matrix = Matrix()
    for pair in pairs {
      let name = pair.key.text
      state.descend(.key(name)) {
        if let values = values(of: name, pair) { matrix.add(name, values) } else { matrix.broken.insert(name) }
      }
    }
    if matrix.count > Self.greatestCount {
      state.report(node, "the matrix stands for more than \(Self.greatestCount) entries")
      matrix.isTooLarge = true
    }
    return matrix
  }

  private func values(of name: String, _ pair: Pair) -> [String]? {
    guard Expansion.isName(name) else {
      state.report(pair.key, "a variable's name is made of letters, digits, `_`, `-` and `.`")
      return nil
    }
    guard let items = state.items(pair.value, expected: "a list of texts") else { return nil }
    if items.isEmpty {
      state.report(pair.value, "the list of values is empty")
      return nil
    }
    var values: [String] = []
    for (index, item) in items.enumerated() {
      if let text = state.descend(.index(index), { state.text(item) }) { values.append(text.value) }
    }
    return values.count == items.count ? values : nil
  }
}

/// Names and their values: every combination stands for one entry.
struct Matrix {
  private var axes: [(name: String, values: [String])] = []
  /// How many combinations there are; the greatest number where there are more than that.
  private(set) var count = 1
  /// Names whose values are wrong.
  var broken: Set<String> = []
  /// Whether it stands for more entries than one may.
  var isTooLarge = false
  /// Whether everything in it is right.
  var isRight: Bool { broken.isEmpty && !isTooLarge }

  mutating func add(_ name: String, _ values: [String]) {
    axes.append((name, values))
    let (product, overflow) = count.multipliedReportingOverflow(by: values.count)
    count = overflow ? .max : product
  }

  /// The values of one combination, counted from 0. The name that was written last changes fastest.
  func combination(_ number: Int) -> [String: String] {
    var rest = number
    var values: [String: String] = [:]
    for axis in axes.reversed() {
      values[axis.name] = axis.values[rest % axis.values.count]
      rest /= axis.values.count
    }
    return values
  }
}
