public import DLSyncModel

/// Which recorded tasks a command is about.
public struct TaskSelection: Sendable {
  /// Ids, URLs, destinations and patterns, as a person wrote them.
  public var names: [String] = []
  /// Only tasks of these queues; empty for all.
  public var queues: [String] = []
  /// Only tasks of these manifests; nil for all.
  public var scopes: [Scope]?
  /// What relative destinations are relative to, an absolute path.
  public var workingFolder: String

  /// Everything.
  public init(workingFolder: String) { self.workingFolder = workingFolder }

  /// What a selection comes to.
  public struct Match: Sendable {
    /// The tasks, each once, in the order in which they were recorded.
    public let tasks: [TaskSnapshot]
    /// Tasks that were named one by one, not by a pattern, a queue or a manifest.
    public let named: Set<TaskID>
    /// Names that no task answers to.
    public let unknown: [String]
  }

  /// The tasks that are meant.
  public func match(_ tasks: [TaskSnapshot]) -> Match {
    let queueNames = Set(queues)
    let candidates = tasks.filter { task in
      (queueNames.isEmpty || queueNames.contains(task.queue.text)) && (scopes?.contains(task.scope) ?? true)
    }
    guard !names.isEmpty else { return Match(tasks: candidates, named: [], unknown: []) }
    var found: Set<TaskID> = []
    var named: Set<TaskID> = []
    var unknown: [String] = []
    for name in names {
      let selector = Selector(name, workingFolder: workingFolder)
      let matches = selector.matches(in: candidates)
      if matches.isEmpty { unknown.append(name) }
      found.formUnion(matches)
      if !selector.isPattern { named.formUnion(matches) }
    }
    return Match(tasks: candidates.filter { found.contains($0.id) }, named: named, unknown: unknown)
  }
}

/// One name of a selection.
private struct Selector {
  let isPattern: Bool
  private let text: String
  private let path: String?

  init(_ text: String, workingFolder: String) {
    self.text = text
    isPattern = text.unicodeScalars.contains { "*?[".unicodeScalars.contains($0) } && !text.contains("://")
    path = try? Destination(text, root: workingFolder).path
  }

  /// An id, else a URL, else a destination, else the end of destinations. A pattern that is no whole path matches from any
  /// folder on.
  func matches(in tasks: [TaskSnapshot]) -> [TaskID] {
    if let id = TaskID(text), tasks.contains(where: { $0.id == id }) { return [id] }
    if text.contains("://") {
      let stored = (try? SourceURL(text)).map { Redaction.storable($0.text) } ?? Redaction.storable(text)
      let exact = tasks.filter { $0.url == stored }.map(\.id)
      guard exact.isEmpty else { return exact }
      let pattern = GlobPattern(text)
      return tasks.filter { pattern.matches($0.url) }.map(\.id)
    }
    if !isPattern, let path {
      let exact = tasks.filter { $0.destination.utf8.elementsEqual(path.utf8) }.map(\.id)
      guard exact.isEmpty else { return exact }
    }
    let pattern = GlobPattern(text.hasPrefix("/") ? text : "**/" + text)
    return tasks.filter { pattern.matches($0.destination) || isPattern && GlobPattern(text).matches($0.url) }.map(\.id)
  }
}
