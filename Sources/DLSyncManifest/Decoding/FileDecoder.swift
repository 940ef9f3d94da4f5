import DLSyncModel

/// Reads one entry of `files`: a mapping, or a URL alone.
struct FileDecoder {
  private let state: DecodingState
  private let scope: Scope
  private let root: String
  private let defaults: FileDraft
  /// The settings of every entry that has none of its own.
  private let defaultOptions: FileOptions

  init(state: DecodingState, head: Head, scope: Scope) {
    self.state = state
    self.scope = scope
    root = head.root
    defaults = head.defaults
    defaultOptions = state.options.object(
      headers: head.defaults.headers ?? [], permissions: head.defaults.permissions,
      onConflict: head.defaults.onConflict ?? .fail)
  }

  /// The entry, nil where something is wrong, which is reported then.
  func decode(_ node: NodeRef) -> FileEntry? {
    let entry = state.resolved(node)
    var draft = FileDraft()
    switch entry.kind {
    case .scalar where !entry.isNull:
      state.variables.setLocal([:])
      draft.url = state.url(entry)
    case .mapping:
      guard let pairs = state.pairs(entry) else { return nil }
      MatrixDecoder(state: state).bind(pairs)
      state.decode(pairs, of: entry, FileDraft.table, into: &draft)
    case .broken: return nil
    default:
      state.reportKind(entry, expected: "a URL or a mapping of file keys")
      return nil
    }
    guard let url = draft.url, let destination = destination(draft, url, entry) else { return nil }
    return FileEntry(
      scope: scope, url: url, destination: destination, queue: draft.queue ?? defaults.queue ?? .default,
      checksums: draft.checksums ?? defaults.checksums ?? [], size: draft.size ?? defaults.size,
      priority: draft.priority ?? defaults.priority ?? 0.5, options: options(draft), line: node.place.line,
      column: node.place.column)
  }

  private func options(_ draft: FileDraft) -> FileOptions {
    if draft.headers == nil, draft.permissions == nil, draft.onConflict == nil { return defaultOptions }
    return state.options.object(
      headers: Self.merged(defaults.headers, draft.headers), permissions: draft.permissions ?? defaults.permissions,
      onConflict: draft.onConflict ?? defaults.onConflict ?? .fail)
  }

  /// Own headers replace inherited ones of the same name.
  private static func merged(_ inherited: [HeaderField]?, _ own: [HeaderField]?) -> [HeaderField] {
    guard let own, !own.isEmpty else { return inherited ?? [] }
    guard var fields = inherited, !fields.isEmpty else { return own }
    for field in own {
      let name = field.name.lowercased()
      if let index = fields.firstIndex(where: { $0.name.lowercased() == name }) {
        fields[index] = field
      } else {
        fields.append(field)
      }
    }
    return fields
  }
}

extension FileDecoder {
  private func destination(_ draft: FileDraft, _ url: SourceURL, _ entry: NodeRef) -> Destination? {
    let node = draft.destinationNode ?? entry
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

  /// The destination's text with its name: where it is left out or ends in a slash, the URL gives the name.
  private func path(_ written: String?, _ url: SourceURL, _ node: NodeRef) -> String? {
    if let written {
      if let scheme = PathText.remoteScheme(written) {
        state.reportRemote(scheme, at: node)
        return nil
      }
      if written == "~" || written.hasPrefix("~/") {
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
