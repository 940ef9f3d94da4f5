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
    /// Names that no task answers to, without the credentials of URLs among them, and queues that hold none.
    public let unknown: [String]
  }

  /// The tasks that are meant.
  public func match(_ tasks: [TaskSnapshot]) -> Match {
    let candidates = candidates(tasks)
    var unknown = queuesWithout(candidates.tasks)
    guard !names.isEmpty else { return Match(tasks: candidates.tasks, named: [], unknown: unknown) }
    var found: Set<Int> = []
    var named: Set<TaskID> = []
    for name in names {
      let selector = Selector(name, workingFolder: workingFolder)
      let matches = selector.matches(in: candidates)
      if matches.isEmpty { unknown.append(Redaction.url(name)) }
      found.formUnion(matches)
      if !selector.isPattern { named.formUnion(matches.lazy.map { candidates.tasks[$0].id }) }
    }
    return Match(tasks: found.sorted().map { candidates.tasks[$0] }, named: named, unknown: unknown)
  }

  /// The same for each name by itself, in the order in which they were written.
  func tasksByName(_ tasks: [TaskSnapshot]) -> [(name: String, tasks: [TaskSnapshot])] {
    let candidates = candidates(tasks)
    return names.map { name in
      let matches = Selector(name, workingFolder: workingFolder).matches(in: candidates)
      return (name, matches.map { candidates.tasks[$0] })
    }
  }

  /// A name that is spelled wrong is not a queue whose tasks have all ended.
  private func queuesWithout(_ tasks: [TaskSnapshot]) -> [String] {
    guard !queues.isEmpty else { return [] }
    let present = Set(tasks.lazy.map(\.queue))
    return queues.filter { !present.contains(QueueName($0)) }
  }

  private func candidates(_ tasks: [TaskSnapshot]) -> Candidates {
    let queueNames = Set(queues.lazy.map { QueueName($0) })
    let tasks = tasks.filter { task in
      (queueNames.isEmpty || queueNames.contains(task.queue)) && (scopes?.contains(task.scope) ?? true)
    }
    return Candidates(tasks, isAskedOften: names.count > 2)
  }
}

/// The tasks that a name may mean, and where they are.
private struct Candidates {
  let tasks: [TaskSnapshot]
  private var ids: [TaskID: [Int]]?
  private var urls: [BytewiseText: [Int]] = [:]
  private var destinations: [BytewiseText: [Int]] = [:]

  /// Tables are worth their while when they are asked often.
  init(_ tasks: [TaskSnapshot], isAskedOften: Bool) {
    self.tasks = tasks
    guard isAskedOften else { return }
    ids = Dictionary(grouping: tasks.indices) { tasks[$0].id }
    urls = Dictionary(grouping: tasks.indices) { BytewiseText(tasks[$0].url) }
    destinations = Dictionary(grouping: tasks.indices) { BytewiseText(tasks[$0].destination) }
  }

  func with(id: TaskID) -> [Int] {
    if let ids { return ids[id] ?? [] }
    return tasks.indices.filter { tasks[$0].id == id }
  }

  func with(url: String) -> [Int] {
    if ids != nil { return urls[BytewiseText(url)] ?? [] }
    return tasks.indices.filter { tasks[$0].url.hasSameBytes(as: url) }
  }

  func with(destination: String) -> [Int] {
    if ids != nil { return destinations[BytewiseText(destination)] ?? [] }
    return tasks.indices.filter { tasks[$0].destination.hasSameBytes(as: destination) }
  }
}

/// One name of a selection.
private struct Selector {
  let isPattern: Bool
  private let text: String
  private let path: String?

  init(_ text: String, workingFolder: String) {
    self.text = text
    isPattern = text.unicodeScalars.contains(where: GlobPattern.isSign) && !text.contains("://")
    path = try? Destination(text.isAbsolutePath ? text : workingFolder + "/" + text, root: "/").path
  }

  /// An id, else a URL, else a destination, else the end of destinations. A pattern that is no whole path matches from any
  /// folder on. Ascending.
  func matches(in candidates: Candidates) -> [Int] {
    let tasks = candidates.tasks
    if let id = TaskID(text) {
      let exact = candidates.with(id: id)
      guard exact.isEmpty else { return exact }
    }
    if text.contains("://") {
      let stored = (try? SourceURL(text)).map { Redaction.storable($0.text) } ?? Redaction.storable(text)
      let exact = candidates.with(url: stored)
      guard exact.isEmpty else { return exact }
      let pattern = GlobPattern(text)
      return tasks.indices.filter { pattern.matches(tasks[$0].url) }
    }
    if !isPattern, let path {
      var exact = candidates.with(destination: path)
      if exact.isEmpty, let real = WorkingFolder.withoutLinks(path) { exact = candidates.with(destination: real) }
      guard exact.isEmpty else { return exact }
    }
    let pattern = GlobPattern(text.isAbsolutePath ? text : "**/" + text)
    let whole = GlobPattern(text)
    let real = isPattern ? WorkingFolder.withoutLinks(text).map { GlobPattern($0) } : nil
    let found = tasks.indices.filter { index in
      let (destination, url) = (tasks[index].destination, tasks[index].url)
      return pattern.matches(destination) || isPattern && whole.matches(url) || real?.matches(destination) == true
    }
    guard found.isEmpty, isPattern else { return found }
    // A name may have such characters itself.
    return tasks.indices.filter { index in
      let destination = tasks[index].destination
      return destination.hasSameBytes(as: path ?? text) || destination.endsBytewise(with: "/" + text)
    }
  }
}
