internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// What the requests for one file have in common.
struct FetchContext: Sendable {
  let transport: any Transport
  let entry: FileEntry
  /// What is asked first: the entry's own URL, or a mirror.
  let source: FetchSource
  /// Who may serve segments beside it.
  let mirrors: [FetchSource]
  /// Whether a declared checksum proves the whole in the end.
  let provesWhole: Bool
  /// Asks for the whole only where it is another one than this.
  let condition: RequestCondition?
  let settings: TransferSettings
  let rateLimits: [RateLimit]
  /// Connections at once, at most.
  let connections: Int
  let smallestSplit: Int64
  let deadline: MonotonicInstant
  let cancel: CancelToken
  let part: PartFile
  /// Bytes in the part file, what was there before included: what progress shows.
  let progress: Counter
  /// The resource's length once it is known.
  let total: Counter
  /// Told of the first good response, on the transfer thread and before its first byte.
  let onResponse: @Sendable (ResponseFacts) throws(DLSyncError) -> Void
  /// Told when a mirror joins in whose bytes only a declared checksum can prove.
  let onJoin: @Sendable () -> Void
  /// Told when a host asks to be left alone while the file goes on (`Retry-After`).
  let onHold: @Sendable (HostPause) -> Void
  /// How much longer a host is to be left alone.
  var remainingPause: @Sendable (String) -> HostPause? = { _ in nil }

  /// The request for a segment from a source, at the URL that the segment names. The first one is the file's beginning;
  /// what follows belongs to what was begun.
  func request(
    _ segment: RunningSegment, from source: FetchSource, range: RangeRequest?, isFirst: Bool,
    onResponse: @escaping @Sendable (ResponseFacts) throws(DLSyncError) -> Void
  ) -> TransferRequest {
    TransferRequest(
      url: segment.url, headers: source.headers, headerOrigin: source.url.origin, range: range,
      condition: range == nil ? condition : nil,
      declaredSize: entry.size,
      keptCodings: entry.keptCodings(from: source.url),
      needsOwnConnection: connections > 1,
      settings: settings, rateLimits: rateLimits, deadline: deadline, meter: segment.meter, cancel: segment.cancel,
      sink: part, remainingPause: isFirst ? remainingPause : nil, onResponse: onResponse)
  }
}

extension FileEntry {
  /// With which codings a body is stored as sent though identity was asked for.
  func keptCodings(from source: SourceURL) -> KeptCodings {
    if options.settings.keepsEncoding { return .all }
    let own = url
    return .one(of: own == source ? own.namedCodings : own.namedCodings.union(source.namedCodings))
  }
}

extension SourceURL {
  private static let codings: [(ending: String, names: Set<String>)] = [
    (".gz", ["gzip", "x-gzip"]), (".tgz", ["gzip", "x-gzip"]), (".br", ["br"]), (".zst", ["zstd"]),
  ]

  /// The codings by which the name itself says that the file is compressed: one of them is then the file's own.
  var namedCodings: Set<String> {
    var text = text
    return text.withUTF8 { text in
      let path = text[..<(text.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex)]
      return Self.codings.first { coding in
        path.suffix(coding.ending.utf8.count).elementsEqual(coding.ending.utf8) { $0 | 0x20 == $1 | 0x20 }
      }?.names ?? []
    }
  }
}
