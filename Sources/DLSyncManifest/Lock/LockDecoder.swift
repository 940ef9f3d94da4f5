package import DLSyncModel

/// Reads the text of a lock file, every error with its place, the same way as a manifest.
package struct LockDecoder {
  private let source: String

  /// `source` is the file as it is named to people.
  package init(source: String) { self.source = source }

  /// The lock that the bytes spell.
  package func decode(_ bytes: [UInt8]) throws(ManifestError) -> ManifestLock {
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<ManifestLock, ManifestError> in
      let text = SourceText(buffer)
      var pass = LockPass(text, source)
      do throws(YAMLFault) {
        if text.bytes.isEmpty { throw YAMLFault(TextPosition(1, 1), "the lock file is empty") }
        if let fault = ManifestDecoder.unreadable(text) { throw fault }
        try pass.run()
      } catch {
        pass.problems.report(error.place, path: "", error.message, hint: error.hint ?? LockPass.renew)
        return failure(text, pass.problems, isBroken: true)
      }
      return pass.problems.isEmpty ? .success(ManifestLock(pass.lines)) : failure(text, pass.problems, isBroken: false)
    }
    return try result.get()
  }

  private func failure(
    _ text: SourceText, _ problems: ProblemList, isBroken: Bool
  ) -> Result<ManifestLock, ManifestError> {
    .failure(ManifestError(DiagnosticWriter(source: text, file: source, isBroken: isBroken).write(problems)))
  }
}

/// One reading of a lock file: lines are decoded as they come and their trees dropped.
private struct LockPass {
  static let renew = "restore the file, or remove it and write it anew with `dlsync lock`"
  private static let version = 1

  let problems = ProblemList()
  private(set) var lines: [ManifestLock.Line] = []
  private var places: [BytewiseText: TextPosition] = [:]
  private let builder: TreeBuilder
  private let state: DecodingState
  /// Where the keys of the top level stand.
  private var keys: [String: TextPosition] = [:]

  init(_ text: SourceText, _ source: String) {
    builder = TreeBuilder(text, problems)
    state = DecodingState(ManifestContext(source: source, canonicalPath: "/"), problems)
  }

  mutating func run() throws(YAMLFault) {
    _ = try builder.next()
    let document = try builder.next()
    guard document.kind == .documentStart else { throw YAMLFault(document.start, "the lock file is empty") }
    let top = try builder.next()
    guard top.kind == .mappingStart else {
      throw YAMLFault(top.start, "a lock file is a mapping with the keys `version` and `files`")
    }
    while true {
      let event = try builder.next()
      if event.kind == .mappingEnd { break }
      let key = try builder.tree(beginningWith: event)
      try read(key, try builder.next())
    }
    for key in ["version", "files"] where keys[key] == nil {
      problems.report(top.start, path: "", "the key `\(key)` is missing", hint: Self.renew)
    }
    _ = try builder.next()
    let end = try builder.next()
    if end.kind != .streamEnd {
      problems.report(end.start, path: "", "a second document begins here; a lock file is one", hint: Self.renew)
    }
  }

  private mutating func read(_ key: NodeRef, _ value: YAMLEvent) throws(YAMLFault) {
    let name = key.kind == .scalar ? key.text : ""
    if let first = keys.updateValue(key.place, forKey: name) {
      // Which of the two counts is not for a program to choose.
      problems.report(
        key.place, path: "", "the key `\(Quote.short(name))` was given before, on line \(first.line)", hint: Self.renew)
    }
    switch name {
    case "version":
      let node = try builder.tree(beginningWith: value)
      state.descend(.key("version")) {
        guard let text = state.text(node, expands: false), NumberText.whole(text.value) != Int64(Self.version) else {
          return
        }
        state.report(
          node, "\(text.shown) is not a version that this program reads; it reads version \(Self.version)")
      }
    case "files" where value.kind == .sequenceStart:
      var index = 0
      while true {
        let event = try builder.next()
        if event.kind == .sequenceEnd { return }
        let item = try builder.tree(beginningWith: event)
        state.aliases.written = builder.nodeCount
        state.descend(.key("files")) { state.descend(.index(index)) { add(item) } }
        builder.recycle(item.tree)
        index += 1
      }
    default:
      let node = try builder.tree(beginningWith: value)
      let what = name == "files" ? "is not a list" : "is not known here"
      problems.report(key.kind == .scalar ? key.place : node.place, path: "", "the key `\(Quote.short(name))` \(what)")
    }
  }

  private mutating func add(_ item: NodeRef) {
    var draft = LockLineDraft()
    state.decode(item, LockLineDraft.table, into: &draft)
    guard let line = draft.line else { return }
    if let first = places.updateValue(item.place, forKey: BytewiseText(line.destination)) {
      return state.report(
        item, "the destination \(Quote.text(line.destination)) has a line already, on line \(first.line)",
        hint: "keep one of the two, or write the file anew with `dlsync lock`")
    }
    lines.append(line)
  }
}

/// What one line says.
private struct LockLineDraft {
  var destination: String?
  var url: String?
  var size: ByteCount?
  var sha256: Digest?
  var entityTag: String?
  var lastModified: String?

  var line: ManifestLock.Line? {
    guard let destination, let url, let size, let sha256 else { return nil }
    return ManifestLock.Line(
      destination: destination, url: url, size: size, sha256: sha256, entityTag: entityTag, lastModified: lastModified)
  }

  static let table = KeyTable<LockLineDraft>([
    .init("destination", .text, isRequired: true) { line, node, state in
      line.destination = state.text(node, expands: false)?.value
    },
    .init("url", .text, isRequired: true) { line, node, state in line.url = state.text(node, expands: false)?.value },
    .init("size", .size(0...Int64.max), isRequired: true) { line, node, state in line.size = state.size(node) },
    .init("sha256", .text, isRequired: true) { line, node, state in
      guard let text = state.text(node, expands: false) else { return }
      line.sha256 = Digest(.sha256, hex: text.value)
      if line.sha256 == nil { state.report(node, "\(text.shown) is not a sha256 digest: 64 hexadecimal digits") }
    },
    .init("etag", .text) { line, node, state in line.entityTag = state.text(node, expands: false)?.value },
    .init("lastModified", .text) { line, node, state in line.lastModified = state.text(node, expands: false)?.value },
  ])
}
