internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// What the requests for one file have in common.
struct FetchContext: Sendable {
  let transport: any Transport
  let entry: FileEntry
  /// The URL that is asked: the entry's own, or a mirror.
  let url: SourceURL
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
  /// Told when the server asks to be left alone while it goes on serving this file (`Retry-After`).
  let onHold: @Sendable (Duration) -> Void

  func request(
    _ segment: RunningSegment, range: RangeRequest?,
    onResponse: @escaping @Sendable (ResponseFacts) throws(DLSyncError) -> Void
  ) -> TransferRequest {
    TransferRequest(
      url: segment.url, headers: url == entry.url ? entry.options.headers : [], headerOrigin: url.origin, range: range,
      condition: range == nil ? condition : nil,
      declaredSize: entry.size, acceptsEncodedBody: entry.acceptsEncodedBody || url.namesEncodedFile,
      needsOwnConnection: connections > 1,
      settings: settings, rateLimits: rateLimits, deadline: deadline, meter: segment.meter, cancel: segment.cancel,
      sink: part, onResponse: onResponse)
  }
}

extension FileEntry {
  /// Whether a response that is encoded though identity was asked for is stored as sent.
  var acceptsEncodedBody: Bool { options.settings.keepsEncoding || url.namesEncodedFile }
}

extension SourceURL {
  private static let encodedEndings = [".gz", ".tgz", ".br", ".zst"]

  /// Whether the name itself says that the file is compressed: a coding of the response is then the file's own.
  var namesEncodedFile: Bool {
    let path = text.utf8.prefix { $0 != UInt8(ascii: "?") }
    return Self.encodedEndings.contains { ending in
      path.suffix(ending.utf8.count).elementsEqual(ending.utf8) { $0 | 0x20 == $1 | 0x20 }
    }
  }
}
