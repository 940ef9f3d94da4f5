import DLSyncModel

/// Reads one entry of `files`: a mapping, or a URL alone. An object, so that its many defaults are not copied for each.
final class FileDecoder {
  private let state: DecodingState
  private let scope: Scope
  private let root: String
  private let defaults: FileDraft
  private let table: KeyTable<FileDraft>
  /// The place of `matrix` in the table.
  private let matrix: Int?
  /// The settings of every entry that has none of its own.
  private let defaultOptions: FileOptions
  /// The list that the entries are lines of, as an index into `filesFrom`.
  private let list: Int?
  /// Packs entries that say no more than `UsualTexts`; nil where each of them needs a closer look.
  let usual: UsualEntries?

  /// A decoder for entries of `files`, or of a list with defaults of its own.
  init(state: DecodingState, head: Head, scope: Scope, list: ListDeclaration? = nil) {
    self.state = state
    self.list = list?.index
    self.scope = scope
    root = head.root
    defaults = list?.defaults.inheriting(head.defaults) ?? head.defaults
    table = list == nil ? FileDraft.table : FileDraft.listTable
    matrix = table.keys.firstIndex { $0.name == "matrix" }
    defaultOptions = state.options.object(defaults.settings(inheriting: FileSettings()) ?? FileSettings())
    let isUsual =
      state.context.readsPlainEntries && state.trace == nil && defaults.managed != true && defaults.checksums == nil
    usual =
      isUsual
      ? UsualEntries(
        scope: scope, root: head.root, queue: defaults.queue ?? .default, options: defaultOptions, size: defaults.size,
        priority: defaults.priority ?? 0.5) : nil
  }

  /// Adds each file that the entry stands for; none where something is wrong, which is reported then.
  func decode(_ node: NodeRef, into files: inout EntryPacker) {
    guard let trace = state.trace else {
      if !pack(node, into: &files) { read(node) { files.append($0) } }
      return
    }
    trace.begin(state.pathText)
    read(node) { file in
      trace.take(file, at: node.place, matrix: state.variables.localNames, list: state.isLiteral ? list : nil)
      files.append(file)
    }
    trace.end()
  }

  private func read(_ node: NodeRef, _ add: (FileEntry) -> Void) {
    let entry = state.resolved(node)
    switch entry.kind {
    case .scalar where !entry.isNull:
      state.variables.setLocal([:])
      var draft = FileDraft()
      state.trace?.note(state.pathText + ".url", entry)
      draft.url = state.url(entry)
      if let file = file(draft, entry, at: node.place) { add(file) }
    case .mapping:
      var draft = FileDraft()
      state.variables.setLocal([:])
      if state.decodePlain(entry, table, except: matrix, into: &draft) {
        if let file = file(draft, entry, at: node.place) { add(file) }
        return
      }
      guard let pairs = state.pairs(entry) else { return }
      let matrix = MatrixDecoder(state: state).decode(pairs, of: node)
      if state.aliases.isExhausted.isSet { return }
      if let matrix {
        expand(matrix, pairs, entry, at: node.place, add)
      } else if let file = file(pairs, entry, at: node.place) {
        add(file)
      }
    case .broken: return
    default: state.reportKind(entry, expected: "a URL or a mapping of file keys")
    }
  }

  /// One file for each combination. What is wrong with one is most often wrong with all: the first that has errors is the
  /// last that is read.
  private func expand(
    _ matrix: Matrix, _ pairs: [Pair], _ entry: NodeRef, at place: TextPosition, _ add: (FileEntry) -> Void
  ) {
    let spentBefore = state.aliases.spent
    let errorsBefore = state.problems.count
    var number = 0
    repeat {
      state.variables.setLocal(matrix.combination(number), broken: matrix.broken)
      let file = file(pairs, entry, at: place)
      if number == 0 {
        // Aliases in the entry are expanded again for each combination, which has a bound of its own.
        let (parts, overflow) = (state.aliases.spent - spentBefore).multipliedReportingOverflow(by: matrix.count)
        guard !overflow, parts <= AliasBudget.greatestMatrix else {
          state.report(entry, "the aliases of this entry stand for too much, for a matrix of \(matrix.count) entries")
          return
        }
        state.aliases.isPaid = true
      }
      number += 1
      guard let file, matrix.isRight, state.problems.count == errorsBefore else { break }
      add(file)
    } while number < matrix.count
    state.aliases.isPaid = false
  }

  private func file(_ pairs: [Pair], _ entry: NodeRef, at place: TextPosition) -> FileEntry? {
    var draft = FileDraft()
    state.decode(pairs, of: entry, table, into: &draft)
    return file(draft, entry, at: place)
  }

  private func file(_ draft: FileDraft, _ entry: NodeRef, at place: TextPosition) -> FileEntry? {
    guard let url = draft.url, let destination = destination(draft, url, entry) else { return nil }
    return FileEntry(
      scope: scope, url: url, destination: destination, queue: draft.queue ?? defaults.queue ?? .default,
      checksums: (draft.checksums ?? defaults.checksums)?.digests ?? [], size: draft.size ?? defaults.size,
      priority: draft.priority ?? defaults.priority ?? 0.5, options: options(draft), line: place.line,
      column: place.column)
  }

  private func options(_ draft: FileDraft) -> FileOptions {
    guard let settings = draft.settings(inheriting: defaultOptions.settings) else { return defaultOptions }
    return state.options.object(settings)
  }
}

extension FileDecoder {
  private func destination(_ draft: FileDraft, _ url: SourceURL, _ entry: NodeRef) -> Destination? {
    let node = draft.destinationNode ?? entry
    if draft.managed ?? (draft.destinationNode == nil && defaults.managed == true) {
      return managedDestination(draft, url)
    }
    // A destination that was written and could not be read is reported already.
    if draft.destinationNode != nil, draft.destination == nil { return nil }
    return state.descendIfNeeded(draft.destinationNode == nil ? nil : "destination") {
      guard let path = path(draft.destination?.value, url, node) else { return nil }
      do throws(Destination.Problem) {
        return try Destination(path, root: root)
      } catch {
        report(error, at: node)
        return nil
      }
    }
  }

  /// A place of its own in dlsync's store, the same for the same URL of the same manifest, whatever signs it.
  private func managedDestination(_ draft: FileDraft, _ url: SourceURL) -> Destination? {
    if draft.destinationNode != nil, let node = draft.managedNode {
      state.descend(.key("managed")) {
        state.report(node, "a file is `managed` or has a `destination`, not both", hint: "remove one of the two")
      }
      return nil
    }
    var hash = StableHash()
    hash.combine(scope.text)
    hash.combine(Redaction.resource(url.text, isSigned: Redaction.isSigned(url.text)))
    let folder = String(hash.finish(), radix: 16)
    return try? Destination("\(state.context.managedFolder)/\(folder)/\(url.fileName ?? "file")", root: "/")
  }

  /// The destination's text with its name: where it is left out or ends in a slash, the URL gives the name.
  private func path(_ written: String?, _ url: SourceURL, _ node: NodeRef) -> String? {
    if let written {
      if let scheme = PathText.remoteScheme(written) {
        state.reportRemote(scheme, at: node)
        return nil
      }
      if written == "~" || written.beginsBytewise(with: "~/") {
        state.report(
          node, "`~` does not stand for the home folder in a destination",
          hint: "write `root: ~/…` and a destination below it, or `./~/…` for a folder of that name")
        return nil
      }
      if written.utf8.last != UInt8(ascii: "/") { return written }
    }
    guard let name = url.fileName else {
      state.report(
        node, "the URL's last path component cannot be a file's name", hint: "give a `destination` with a name")
      return nil
    }
    return (written ?? "") + name
  }

  private func report(_ problem: Destination.Problem, at node: NodeRef) {
    switch problem {
    case .empty: state.report(node, "the destination is empty", hint: "leave it out to take the name from the URL")
    case .holdsNUL: state.report(node, "the destination holds a NUL character")
    case .leavesRoot:
      state.report(
        node, "the destination leads out of `root`", hint: "change `root`, or write an absolute destination")
    case .namesFolder:
      state.report(
        node, "the destination is a folder, not a file", hint: "end it with `/` to take the name from the URL")
    }
  }
}
