import DLSyncModel

/// What one entry, or `defaults`, says; nil where it says nothing.
struct FileDraft {
  var url: SourceURL?
  /// As written, variables filled in.
  var destination: Text?
  var destinationNode: NodeRef?
  /// Whether the file lives in dlsync's own store instead.
  var managed: Bool?
  var managedNode: NodeRef?
  var queue: QueueName?
  var checksums: Checksums?
  var size: ByteCount?
  var priority: Double?
  var headers: [HeaderField]?
  var permissions: UInt16?
  var onConflict: ConflictPolicy?
  var mirrors: [SourceURL]?
  var refresh: RefreshPolicy?
  var contentEncoding: ContentEncoding?
  var modified: ModificationTime?
  var notify: NotificationTexts?
  var tags: [String]?

  /// What becomes of a response that is encoded though identity was asked for.
  enum ContentEncoding: String, CaseIterable { case reject, keep }
  /// Which modification time a finished file gets.
  enum ModificationTime: String, CaseIterable { case now, server }

  /// Whether something is said that `FileSettings` hold.
  private var hasSettings: Bool {
    headers != nil || permissions != nil || onConflict != nil || mirrors != nil || refresh != nil
      || contentEncoding != nil || modified != nil
      || notify != nil || tags != nil
  }

  /// The settings that an entry has by this and by what it inherits; nil where it only inherits.
  func settings(inheriting inherited: FileSettings) -> FileSettings? {
    guard hasSettings || (checksums.map { $0.listed != inherited.listedChecksums } ?? false) else { return nil }
    var settings = inherited
    settings.headers = Self.merged(inherited.headers, headers)
    if let permissions { settings.permissions = permissions }
    if let onConflict { settings.onConflict = onConflict }
    if let checksums { settings.listedChecksums = checksums.listed }
    if let mirrors { settings.mirrors = mirrors }
    if let refresh { settings.refresh = refresh }
    if let contentEncoding { settings.keepsEncoding = contentEncoding == .keep }
    if let modified { settings.takesServerTime = modified == .server }
    if let notify { settings.notify = notify }
    if let tags { settings.tags = tags }
    return settings
  }

  /// The same, and where it says nothing, what another one says.
  func inheriting(_ other: FileDraft) -> FileDraft {
    var draft = self
    draft.managed = managed ?? other.managed
    draft.queue = queue ?? other.queue
    draft.checksums = checksums ?? other.checksums
    draft.size = size ?? other.size
    draft.priority = priority ?? other.priority
    draft.headers = headers.map { Self.merged(other.headers ?? [], $0) } ?? other.headers
    draft.permissions = permissions ?? other.permissions
    draft.onConflict = onConflict ?? other.onConflict
    draft.refresh = refresh ?? other.refresh
    draft.contentEncoding = contentEncoding ?? other.contentEncoding
    draft.modified = modified ?? other.modified
    draft.notify = notify ?? other.notify
    draft.tags = tags ?? other.tags
    return draft
  }

  /// Own headers replace inherited ones of the same name.
  private static func merged(_ inherited: [HeaderField], _ own: [HeaderField]?) -> [HeaderField] {
    guard let own, !own.isEmpty else { return inherited }
    guard !inherited.isEmpty else { return own }
    var fields = inherited
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

extension FileDraft {
  /// Every key of a file.
  static let table = KeyTable<FileDraft>([
    .init("url", .url, isRequired: true) { file, node, state in file.url = state.url(node) },
    .init("destination", .text) { file, node, state in
      file.destination = state.text(node)
      file.destinationNode = node
    },
    .init("managed", .boolean) { file, node, state in
      file.managed = state.bool(node)
      file.managedNode = node
    },
    .init("queue", .text) { file, node, state in file.queue = state.queue(node) },
    .init("mirrors", .list(.url)) { file, node, state in file.mirrors = MirrorsDecoder(state: state).decode(node) },
    // Only a written `null` leaves a checksum out: an empty value is a digest that got lost.
    .init("checksum", ChecksumDecoder.shape, takesNull: true) { file, node, state in
      file.checksums = ChecksumDecoder(state: state).decode(node)
    },
    .init("size", .size(0...Int64.max)) { file, node, state in file.size = state.size(node) },
    .init("priority", .fraction) { file, node, state in file.priority = state.priority(node) },
    .init("headers", .names(.text, pattern: HeadersDecoder.namePattern)) { file, node, state in
      file.headers = HeadersDecoder(state: state).decode(node)
    },
    .init("permissions", .text(pattern: "^(0{0,3}[0-7]{1,3}|.*\\$\\{.*)$")) { file, node, state in
      file.permissions = state.permissions(node)
    },
    .init("onConflict", .words(of: ConflictPolicy.self)) { file, node, state in file.onConflict = state.choice(node) },
    .init("refresh", RefreshDecoder.shape) { file, node, state in
      file.refresh = RefreshDecoder(state: state).decode(node)
    },
    .init("contentEncoding", .words(of: ContentEncoding.self)) { file, node, state in
      file.contentEncoding = state.choice(node)
    },
    .init("modified", .words(of: ModificationTime.self)) { file, node, state in file.modified = state.choice(node) },
    .init("notify", .table("notify", NotificationTexts.table)) { file, node, state in file.notify = state.notify(node)
    },
    .init("tags", .list(.text)) { file, node, state in file.tags = state.tags(node) },
    // Read before all others, because they use its names.
    .init("matrix", .names(.list(.text, isEmpty: false))) { _, _, _ in },
  ])

  /// The keys of a record in an external list.
  static let listTable = table.without(["matrix": "cannot stand in a list: its lines are the entries"])

  /// The keys of `defaults`.
  static let defaultsTable = table.without([
    "url": "cannot have a default: each file has its own",
    "destination": "cannot have a default: each file has its own",
    "mirrors": "cannot have a default: each file has its own", "matrix": "cannot have a default: each file has its own",
  ])
}
