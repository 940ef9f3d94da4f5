import DLSyncModel

// Values that only queues have, and sizes.
extension DecodingState {
  /// A size within a range.
  func size(_ node: NodeRef, in range: ClosedRange<Int64> = 0...Int64.max) -> ByteCount? {
    guard let text = text(node) else { return nil }
    let limits =
      range.upperBound == .max
      ? "" : " from \(SizeText.spell(range.lowerBound)) to \(SizeText.spell(range.upperBound))"
    guard let bytes = SizeText.parse(text.value) else {
      report(node, "\(text.shown) is not a size\(limits)", hint: "write \(SizeText.form)")
      return nil
    }
    guard range.contains(bytes) else {
      report(node, "\(text.shown) is not a size\(limits)")
      return nil
    }
    return ByteCount(bytes)
  }

  /// A rate: `unlimited` or 0, or a size with or without `/s`.
  func rate(_ node: NodeRef) -> RateText? {
    guard let text = text(node) else { return nil }
    if let rate = RateText(text.value) { return rate }
    report(
      node, "\(text.shown) is not a rate: `unlimited`, or bytes a second such as `20MiB/s`",
      hint: "write `unlimited`, or \(SizeText.form), with or without `/s`")
    return nil
  }

  /// A list of statuses that may be tried again, ascending and each once. An empty one is fine.
  func statusCodes(_ node: NodeRef) -> [Int]? {
    guard let items = items(node, expected: "a list of status codes") else { return nil }
    var codes: Set<Int> = []
    var isWhole = true
    for (index, item) in items.enumerated() {
      descend(.index(index)) {
        if let code = whole(item, in: 400...599) { codes.insert(code) } else { isWhole = false }
      }
    }
    return isWhole ? codes.sorted() : nil
  }

  /// The name of a network interface: up to 15 bytes, as the kernel has it.
  func interface(_ node: NodeRef) -> String? {
    guard let text = text(node) else { return nil }
    let name = text.value
    let isName =
      (1...15).contains(name.utf8.count) && name != "." && name != ".."
      && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !"/:!".utf8.contains($0) }
    if isName { return name }
    report(node, "\(text.shown) is not the name of a network interface")
    return nil
  }

  /// The items of a list; nil when the node is none, which is reported then.
  func items(_ node: NodeRef, expected: String) -> [NodeRef]? {
    let node = resolved(node)
    guard node.kind == .sequence else {
      reportKind(node, expected: expected)
      return nil
    }
    return Array(node.children)
  }
}
