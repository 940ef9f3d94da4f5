import DLSyncModel

/// What one entry, or `defaults`, says; nil where it says nothing.
struct FileDraft {
  var url: SourceURL?
  /// As written, variables filled in.
  var destination: Text?
  var destinationNode: NodeRef?
  var queue: QueueName?
  var checksums: [Digest]?
  var size: ByteCount?
  var priority: Double?
  var headers: [HeaderField]?
  var permissions: UInt16?
  var onConflict: ConflictPolicy?
}

extension FileDraft {
  /// Every key of a file. Those with a decoder under `Later` are checked and then refused.
  static let table = KeyTable<FileDraft>([
    .init("url", isRequired: true) { file, node, state in file.url = state.url(node) },
    .init("destination") { file, node, state in
      file.destination = state.text(node)
      file.destinationNode = node
    },
    .init("managed") { _, node, state in ManagedDecoder(state: state).decode(node) },
    .init("queue") { file, node, state in file.queue = state.queue(node) },
    .init("mirrors") { _, node, state in MirrorsDecoder(state: state).decode(node) },
    // Only a written `null` leaves a checksum out: an empty value is a digest that got lost.
    .init("checksum", takesNull: true) { file, node, state in
      file.checksums = ChecksumDecoder(state: state).decode(node)
    },
    .init("size") { file, node, state in file.size = state.size(node) },
    .init("priority") { file, node, state in file.priority = state.priority(node) },
    .init("headers") { file, node, state in file.headers = HeadersDecoder(state: state).decode(node) },
    .init("permissions") { file, node, state in file.permissions = state.permissions(node) },
    .init("onConflict") { file, node, state in file.onConflict = state.choice(node) },
    .init("refresh") { _, node, state in RefreshDecoder(state: state).decode(node) },
    .init("contentEncoding") { _, node, state in ContentEncodingDecoder(state: state).decode(node) },
    .init("modified") { _, node, state in ModifiedDecoder(state: state).decode(node) },
    .init("notify") { _, node, state in NotifyDecoder(state: state).decode(node) },
    .init("tags") { _, node, state in TagsDecoder(state: state).decode(node) },
    .init("matrix") { _, node, state in MatrixDecoder(state: state).decode(node) },
  ])

  /// The keys of `defaults`.
  static let defaultsTable = table.without([
    "url": "cannot have a default: each file has its own",
    "destination": "cannot have a default: each file has its own",
    "mirrors": "cannot have a default: each file has its own", "matrix": "cannot have a default: each file has its own",
  ])
}
