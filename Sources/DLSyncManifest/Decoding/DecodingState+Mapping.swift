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
      let key = table.keys[index]
      descend(.key(key.name)) {
        let value = pair.value.kind == .alias ? resolved(pair.value) : pair.value
        if value.kind == .broken { return }
        if !key.takesNull, value.isNull {
          if key.isRequired { report(value, "a value is missing here") }
        } else {
          key.decode(&target, value, self)
        }
      }
    }
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
      let nearest = NearestName.find(name, among: names).map { "did you mean `\($0)`?" }
      report(
        node, "the key `\(Quote.short(name))` is not known here",
        hint: nearest ?? "known are \(names.joined(separator: ", "))")
    }
  }
}
