import DLSyncModel

/// Reads `checksum`: a text, a mapping, or a list of them. An empty one is an error, because a digest that got lost must
/// not become no check at all.
struct ChecksumDecoder {
  fileprivate struct Draft {
    var algorithm: DigestAlgorithm?
    var algorithmIsWrong = false
    var value: (text: Text, node: NodeRef)?
    var list: NodeRef?
    var name: NodeRef?

    static let table = KeyTable<Draft>([
      .init("algorithm", ChecksumDecoder.algorithms) { draft, node, state in
        guard let text = state.text(node) else { return }
        draft.algorithm = DigestAlgorithm(name: text.value)
        draft.algorithmIsWrong = draft.algorithm == nil
        if draft.algorithmIsWrong { state.report(node, ChecksumDecoder.unknown(text.shown)) }
      },
      .init("value", ChecksumDecoder.digits, takesNull: true) { draft, node, state in
        draft.value = state.text(node).map { ($0, node) }
      },
      .init("from", .text) { draft, node, _ in draft.list = node },
      .init("name", .text) { draft, node, _ in draft.name = node },
    ])
  }

  let state: DecodingState

  /// The checksums, nil for none; also nil where something is wrong, which is reported then.
  func decode(_ node: NodeRef) -> Checksums? {
    guard node.kind == .sequence else { return single(node) }
    var checksums = Checksums()
    for (index, item) in node.children.enumerated() {
      state.descend(.index(index)) {
        let item = state.resolved(item)
        if item.kind == .sequence {
          state.reportKind(item, expected: "a checksum")
        } else if item.isNull {
          state.report(item, "a checksum is missing here")
        } else if let one = single(item) {
          checksums.add(one)
        }
      }
    }
    if node.count == 1 { state.report(node, "the list of checksums is empty", hint: Self.leaveOut) }
    return checksums
  }

  private func single(_ node: NodeRef) -> Checksums? {
    if node.kind == .mapping { return mapping(node) }
    if node.isNull {
      if node.withBytes({ $0.isEmpty }) { state.report(node, "the checksum is empty", hint: Self.leaveOut) }
      return nil
    }
    if node.kind == .scalar, let digest = node.withBytes(DigestText.usual) { return Checksums(digests: [digest]) }
    guard let text = state.text(node) else { return nil }
    return digest(text, at: node).map { Checksums(digests: [$0]) }
  }

  private func mapping(_ node: NodeRef) -> Checksums? {
    var draft = Draft()
    state.decode(node, Draft.table, into: &draft)
    if let list = draft.list {
      if let value = draft.value {
        state.report(value.node, "a checksum has a `value` or comes `from` a list, not both")
      }
      let listed = ListedChecksumDecoder(state: state).decode(list, algorithm: draft.algorithm, name: draft.name)
      return listed.map { Checksums(listed: [$0]) }
    }
    if let name = draft.name { state.report(name, "`name` belongs to a checksum that comes `from` a list") }
    guard let value = draft.value else {
      state.report(node, "a checksum has a `value`, or comes `from` a list", hint: Self.leaveOut)
      return nil
    }
    guard !draft.algorithmIsWrong else { return nil }
    return state.descend(.key("value")) {
      digest(value.text, algorithm: draft.algorithm, at: value.node).map { Checksums(digests: [$0]) }
    }
  }
}

extension ChecksumDecoder {
  private static let leaveOut = "write `null` to check nothing"

  fileprivate static func unknown(_ name: String) -> String {
    "the algorithm \(name) is not known: it is \(Quote.choice(DigestAlgorithm.allCases.map(\.name)))"
  }

  private func digest(_ text: Text, algorithm: DigestAlgorithm? = nil, at node: NodeRef) -> Digest? {
    do throws(DigestText.Problem) {
      return try DigestText.parse(text.value, algorithm: algorithm)
    } catch {
      report(error, of: text, at: node)
      return nil
    }
  }

  private func report(_ problem: DigestText.Problem, of text: Text, at node: NodeRef) {
    switch problem {
    case .empty: state.report(node, "the checksum is empty", hint: Self.leaveOut)
    case .unknownAlgorithm(let name):
      state.report(node, Self.unknown(text.isLiteral ? Quote.text(name) : "of this checksum"))
    case .wrongDigits(let algorithm):
      state.report(
        node, "\(text.shown) is not a \(algorithm.name) digest, which has \(algorithm.length * 2) hexadecimal digits")
    case .unknownLength(let digits):
      state.report(
        node, "\(text.shown) has \(digits) digits, as many as no algorithm gives", hint: "write \(DigestText.form)")
    case .unreadable: state.report(node, "\(text.shown) is not a checksum", hint: "write \(DigestText.form)")
    case .otherAlgorithm(let algorithm):
      state.report(node, "the value says \(algorithm.name), the key `algorithm` says another")
    }
  }
}

extension ChecksumDecoder {
  /// Names in any case, with and without dashes.
  private static let namePattern: String = {
    let names = DigestAlgorithm.allCases.map { algorithm in
      algorithm.name.filter { $0 != "-" }.map { letter in
        letter.isLetter ? "[\(letter.lowercased())\(letter.uppercased())]" : "\(letter)"
      }.joined(separator: "[-_]*")
    }
    return "(" + names.joined(separator: "|") + ")"
  }()

  fileprivate static let algorithms = ValueShape.text(pattern: "^\(namePattern)$")
  /// In one of the spellings of `DigestText`.
  fileprivate static let digits = ValueShape.text(
    pattern: "^\\s*(\(namePattern)\\s*:\\s*[0-9A-Fa-f]+|\(namePattern)-[A-Za-z0-9+/=]+|[0-9A-Fa-f]+|.*\\$\\{.*)\\s*$")

  /// One checksum, or several that must all match.
  static let shape: ValueShape = {
    let one: [ValueShape] = [digits, .table("checksum", Draft.table)]
    return .either(one + [.list(.either(one), isEmpty: false)])
  }()
}
