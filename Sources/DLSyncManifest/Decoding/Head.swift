import DLSyncModel

/// What the top level says beside its files, as far as files need it.
struct Head {
  /// A value that was given and is wrong: what depends on it is not reported once more.
  enum BaseURL {
    case none
    case wrong
    case url(SourceURL)
  }

  var name: String?
  var baseURL = BaseURL.none
  /// Absolute. Where the given one is wrong, the manifest's folder stands in.
  var root: String
  var queues: [QueueDeclaration] = []
  var queueNames: [BytewiseText: QueueName] = [:]
  /// Texts for the end of the whole run.
  var notify: NotificationTexts?
  /// What every entry inherits.
  var defaults = FileDraft()
  /// External lists of files.
  var lists: [ListDeclaration] = []
  /// The value of `files`, empty where its items were read one by one.
  var files: NodeRef?

  init(root: String) { self.root = root }
}
