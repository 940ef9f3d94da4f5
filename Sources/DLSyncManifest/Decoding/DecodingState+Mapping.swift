import DLSyncModel

/// A key and its value.
struct Pair {
  let key: NodeRef
  let value: NodeRef
}

// Mappings: duplicate keys, merge keys, and keys by table.
extension DecodingState {
  /// Reads a mapping by its table of keys.
  func decode<Target>(_ node: NodeRef, _ table: KeyTable<Target>, into target: inout Target) {
    guard let pairs = pairs(node) else { return }
    decode(pairs, of: node, table, into: &target)
  }

  /// The same for pairs that were taken out of their mapping already.
  func decode<Target>(_ pairs: [Pair], of node: NodeRef, _ table: KeyTable<Target>, into target: inout Target) {
    var seen: UInt64 = 0
    for pair in pairs {
      guard let index = table.index(of: pair.key) else {
        reportUnknown(pair.key, table)
        continue
      }
      seen |= 1 << UInt64(index)
      decode(pair.value, table.keys[index], into: &target)
    }
    reportMissing(seen, of: node, table)
  }

  /// The same for the mapping that nearly every entry is, without a list of its pairs: each key a known text, none twice.
  /// False, with nothing read, where a key needs a closer look; `special` is a key that always does.
  func decodePlain<Target>(
    _ node: NodeRef, _ table: KeyTable<Target>, except special: Int?, into target: inout Target
  ) -> Bool {
    guard node.kind == .mapping else { return false }
    let tree = node.tree
    let end = node.index + node.count
    var seen: UInt64 = 0
    var index = node.index + 1
    // The place of each key in the table, where its value is.
    var found: (Places, Places) = (Places(), Places())
    var count = 0
    while index < end {
      let key = NodeRef(tree: tree, index: index)
      guard count < Places.capacity, key.kind == .scalar, let place = table.index(of: key), place != special,
        seen & (1 << UInt64(place)) == 0
      else { return false }
      seen |= 1 << UInt64(place)
      index = Int(tree.nodes[index].end)
      found.0[count] = UInt16(truncatingIfNeeded: place)
      found.1[count] = UInt16(truncatingIfNeeded: index - node.index)
      guard index - node.index <= Int(UInt16.max) else { return false }
      count += 1
      index = Int(tree.nodes[index].end)
    }
    for number in 0..<count {
      let value = NodeRef(tree: tree, index: node.index + Int(found.1[number]))
      decode(value, table.keys[Int(found.0[number])], into: &target)
    }
    reportMissing(seen, of: node, table)
    return true
  }

  /// A few small numbers without an allocation.
  private struct Places {
    static let capacity = 16
    private var numbers = (UInt64.zero, UInt64.zero, UInt64.zero, UInt64.zero)

    subscript(index: Int) -> UInt16 {
      get { withUnsafeBytes(of: numbers) { $0.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self) } }
      set {
        withUnsafeMutableBytes(of: &numbers) { $0.storeBytes(of: newValue, toByteOffset: index * 2, as: UInt16.self) }
      }
    }
  }

  private func decode<Target>(_ written: NodeRef, _ key: KeyTable<Target>.Key, into target: inout Target) {
    descend(.key(key.name)) {
      let value = written.kind == .alias ? resolved(written) : written
      if value.kind == .broken { return }
      if let trace, !value.isNull { trace.note(pathText, value) }
      if !key.takesNull, value.isNull {
        if key.isRequired { report(value, "a value is missing here") }
      } else {
        key.decode(&target, value, self)
      }
    }
  }

  private func reportMissing<Target>(_ seen: UInt64, of node: NodeRef, _ table: KeyTable<Target>) {
    for index in table.required where seen & (1 << UInt64(index)) == 0 {
      report(node, "the key `\(table.keys[index].name)` is missing", isCertain: head != nil)
    }
  }

  /// The pairs of a mapping, merged ones behind its own; nil when the node is no mapping, which is reported then.
  func pairs(_ node: NodeRef, ignoringCase: Bool = false, expected: String = "a mapping") -> [Pair]? {
    let node = resolved(node)
    guard node.kind == .mapping else {
      reportKind(node, expected: expected)
      return nil
    }
    var written: [Pair] = []
    written.reserveCapacity(min(8, node.count / 2))
    var children = node.children
    while let key = children.next(), let value = children.next() { written.append(Pair(key: key, value: value)) }
    return merged(written, ignoringCase: ignoringCase, depth: 0)
  }

  /// The same from pairs as they are written: keys are texts and different, merge keys are carried out.
  func merged(_ written: [Pair], ignoringCase: Bool = false, depth: Int) -> [Pair] {
    var pairs: [Pair] = []
    pairs.reserveCapacity(written.count)
    var keys = KeySet(ignoringCase: ignoringCase)
    var merges: [NodeRef] = []
    for pair in written {
      let key = resolved(pair.key)
      guard key.kind == .scalar else {
        reportKind(key, expected: "a key that is a text")
        continue
      }
      if let first = keys.insert(key, at: pair.key.place) {
        reportTwice(pair.key, key, first)
      } else if key.isMergeKey {
        merges.append(pair.value)
      } else {
        pairs.append(Pair(key: key, value: pair.value))
      }
    }
    for value in merges { descend(.key("<<")) { merge(value, into: &pairs, &keys, depth: depth) } }
    return pairs
  }

  /// Adds what one merge key brings: a mapping, or a list of them, of which the earlier ones win.
  private func merge(_ value: NodeRef, into pairs: inout [Pair], _ keys: inout KeySet, depth: Int) {
    let source = resolved(value)
    switch source.kind {
    case .mapping:
      guard depth < YAMLFault.greatestDepth else {
        report(value, "merge keys are nested deeper than \(YAMLFault.greatestDepth) levels")
        return
      }
      var written: [Pair] = []
      var children = source.children
      while let key = children.next(), let value = children.next() { written.append(Pair(key: key, value: value)) }
      for pair in merged(written, ignoringCase: keys.ignoringCase, depth: depth + 1)
      where keys.insert(pair.key, at: pair.key.place) == nil {
        pairs.append(pair)
      }
    case .sequence:
      for item in source.children {
        let target = resolved(item)
        if target.kind == .sequence {
          reportKind(target, expected: "a mapping to merge")
        } else {
          merge(target, into: &pairs, &keys, depth: depth + 1)
        }
      }
    default: reportKind(source, expected: "a mapping to merge with `<<`")
    }
  }

  private func reportTwice(_ place: NodeRef, _ key: NodeRef, _ first: TextPosition) {
    let name = Quote.short(key.text)
    descend(.key(name)) {
      report(
        place, "the key `\(name)` was given before, on line \(first.line), column \(first.column)",
        hint: "remove one of the two")
    }
  }

  private func reportUnknown<Target>(_ node: NodeRef, _ table: KeyTable<Target>) {
    let name = node.text
    descend(.key(name)) {
      if let reason = table.refused[name] {
        report(node, "the key `\(name)` \(reason)")
        return
      }
      // What will only be counted needs no words.
      let names = problems.isFull ? [] : table.keys.map(\.name)
      let nearest = NearestName.slip(name, among: names).map { "did you mean `\($0)`?" }
      report(
        node, "the key `\(Quote.short(name))` is not known here",
        hint: nearest ?? "known are \(names.joined(separator: ", "))")
    }
  }
}
