/// What a manifest file says, checked and resolved: every path absolute, every URL ready to be asked for.
public struct Manifest: Sendable {
  /// The identity of its queues and tasks.
  public let scope: Scope
  /// The file as the user named it, `-` for standard input.
  public let source: String
  /// The folder below which relative destinations lie.
  public let root: String
  /// The declared queues in the manifest's order; `default` is always among them.
  public let queues: [QueueDeclaration]
  /// Texts for the end of the whole run.
  public let notify: NotificationTexts?
  /// The files in the manifest's order.
  public package(set) var files: [FileEntry]
  /// The lists that the last of the files come from, in the files' order.
  public package(set) var lists: [ListExtent]
  /// The folder of files that are managed, an absolute path; nil where there are none.
  package var managedFolder: String?
  /// How far the lock file beside it covers the files; nil where there is none. Pins are checksums and sizes of `files`.
  public package(set) var lock: LockCoverage?
  /// The variables that it declares or uses; known only where variables were given to it.
  public package(set) var variableNames: Set<String> = []

  /// Takes every part.
  public init(
    scope: Scope, source: String, root: String, queues: [QueueDeclaration], files: [FileEntry],
    notify: NotificationTexts? = nil, lists: [ListExtent] = []
  ) {
    self.scope = scope
    self.source = source
    self.root = root
    self.queues = queues
    self.files = files
    self.notify = notify
    self.lists = lists
  }

  /// The queue of a name that the manifest declares.
  public func queue(_ name: QueueName) -> QueueDeclaration? { queues.first { $0.name == name } }
}

/// An external list, and which files of a manifest come from it: those from the first one to the next list's, or to the end.
public struct ListExtent: Sendable {
  /// Absolute.
  public let path: String
  /// By its place in the manifest's files.
  public let firstFile: Int

  /// Takes both.
  public init(path: String, firstFile: Int) {
    self.path = path
    self.firstFile = firstFile
  }
}
