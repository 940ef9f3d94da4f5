/// Reads `matrix`: names and the values that each takes.
struct MatrixDecoder {
  /// How many entries one matrix may stand for.
  private static let greatestCount = 1_000_000

  let state: DecodingState

  /// Makes the names of an entry's matrix known to its texts, with the first value of each.
  func bind(_ pairs: [Pair]) {
    var values: [String: String] = [:]
    for pair in pairs where pair.key.withBytes({ $0.elementsEqual("matrix".utf8) }) {
      let matrix = state.resolved(pair.value)
      guard matrix.kind == .mapping else { continue }
      var children = matrix.children
      while let name = children.next(), let list = children.next() {
        guard name.kind == .scalar else { continue }
        var items = state.resolved(list).children
        let first = state.resolved(list).kind == .sequence ? items.next() : nil
        values[name.text] = first?.kind == .scalar ? first?.text ?? "" : ""
      }
    }
    state.variables.setLocal(values)
  }

  func decode(_ node: NodeRef) {
    guard let pairs = state.pairs(node, expected: "a mapping from names to lists") else { return }
    var count = 1
    var isRight = true
    for pair in pairs {
      let name = pair.key.text
      state.descend(.key(name)) {
        isRight = check(name, pair, &count) && isRight
      }
    }
    if count > Self.greatestCount {
      state.report(node, "the matrix stands for more than \(Self.greatestCount) entries")
    } else if isRight, !pairs.isEmpty {
      state.reportUnsupported(node, "a `matrix`")
    }
  }

  private func check(_ name: String, _ pair: Pair, _ count: inout Int) -> Bool {
    guard Expansion.isName(name) else {
      state.report(pair.key, "a variable's name is made of letters, digits, `_`, `-` and `.`")
      return false
    }
    guard let items = state.items(pair.value, expected: "a list of texts") else { return false }
    if items.isEmpty {
      state.report(pair.value, "the list of values is empty")
      return false
    }
    let (product, overflow) = count.multipliedReportingOverflow(by: items.count)
    count = overflow ? .max : product
    var isRight = true
    for (index, item) in items.enumerated() {
      state.descend(.index(index)) { isRight = state.text(item) != nil && isRight }
    }
    return isRight
  }
}
