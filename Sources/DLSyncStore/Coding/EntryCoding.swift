import DLSyncModel

/// What the agent must know of an entry beyond the task's own row: where its URL leads, credentials included, the request
/// headers, and where the manifest's root is. As key=value lines.
enum EntryCoding {
  private typealias Pair = (key: String, value: String)

  /// Without secrets, header values and credentials of URLs are left out, and `withheld` tells that some were.
  static func encode(_ entry: FileEntry, keepsSecrets: Bool = true, pin: LockPin? = nil) -> String {
    let settings = entry.options.settings
    func written(_ url: SourceURL) -> String { keepsSecrets ? url.text : StorableURL.text(of: url.text) }
    var pairs: [Pair] = [
      ("url", written(entry.url)), ("root", entry.destination.root ?? ""),
      ("headers", keepsSecrets ? HeaderCoding.encode(settings.headers) : ""),
      ("onConflict", settings.onConflict.rawValue), ("line", "\(entry.line)"), ("column", "\(entry.column)"),
    ]
    if !keepsSecrets, entry.hasSecrets { pairs.append(("withheld", "true")) }
    pairs += settings.mirrors.map { ("mirror", written($0)) }
    pairs += settings.listedChecksums.map { ("list", LineCoding.encode(listPairs($0, written))) }
    pairs += settings.tags.map { ("tag", $0) }
    switch settings.refresh {
    case .never: break
    case .always: pairs.append(("refresh", "always"))
    case .after(let time): pairs.append(("refresh", "\(time.inMilliseconds)"))
    }
    if settings.keepsEncoding { pairs.append(("keepsEncoding", "true")) }
    if settings.takesServerTime { pairs.append(("takesServerTime", "true")) }
    if let text = settings.notify?.success { pairs.append(("success", text)) }
    if let text = settings.notify?.failure { pairs.append(("failure", text)) }
    if let pin {
      pairs += [("lockFile", pin.source), ("lockedBy", pin.manifest)]
      if pin.pinsSize { pairs.append(("pinned", "size")) }
      if pin.pinsDigest { pairs.append(("pinned", "digest")) }
    }
    return LineCoding.encode(pairs)
  }

  /// What a lock file says of the entry and the manifest does not.
  static func pin(_ text: String) -> LockPin? {
    let pairs = LineCoding.decode(text)
    func first(_ key: String) -> String? { pairs.first { $0.key == key }?.value }
    guard let source = first("lockFile"), let manifest = first("lockedBy") else { return nil }
    let pinned = pairs.filter { $0.key == "pinned" }.map(\.value)
    return LockPin(
      source: source, manifest: manifest, pinsSize: pinned.contains("size"), pinsDigest: pinned.contains("digest"))
  }

  private static func listPairs(_ list: ListedChecksum, _ written: (SourceURL) -> String) -> [Pair] {
    var pairs: [Pair] = []
    switch list.place {
    case .url(let url): pairs.append(("url", written(url)))
    case .file(let path): pairs.append(("file", path))
    }
    if let algorithm = list.algorithm { pairs.append(("algorithm", "\(algorithm.number)")) }
    if let name = list.name { pairs.append(("name", name)) }
    return pairs
  }

  private static func list(_ text: String) -> ListedChecksum? {
    let pairs = Dictionary(LineCoding.decode(text)) { first, _ in first }
    let place: ListedChecksum.Place
    if let url = pairs["url"].flatMap({ try? SourceURL($0) }) {
      place = .url(url)
    } else if let path = pairs["file"] {
      place = .file(path)
    } else {
      return nil
    }
    return ListedChecksum(
      place: place, algorithm: pairs["algorithm"].flatMap { UInt8($0) }.flatMap { DigestAlgorithm(number: $0) },
      name: pairs["name"])
  }

  private static func settings(_ pairs: [Pair], permissions: UInt16?) -> FileSettings {
    var settings = FileSettings()
    settings.permissions = permissions
    for (key, value) in pairs {
      switch key {
      case "headers": settings.headers = HeaderCoding.decode(value)
      case "onConflict": settings.onConflict = ConflictPolicy(rawValue: value) ?? .fail
      case "mirror": if let url = try? SourceURL(value) { settings.mirrors.append(url) }
      case "list": if let list = list(value) { settings.listedChecksums.append(list) }
      case "tag": settings.tags.append(value)
      case "refresh": settings.refresh = Int64(value).map { .after(.milliseconds($0)) } ?? .always
      case "keepsEncoding": settings.keepsEncoding = true
      case "takesServerTime": settings.takesServerTime = true
      case "success": settings.notify = NotificationTexts(success: value, failure: settings.notify?.failure)
      case "failure": settings.notify = NotificationTexts(success: settings.notify?.success, failure: value)
      default: break
      }
    }
    return settings
  }

  /// The facts of a task's row that are part of its entry as well.
  struct Row {
    let scope: Scope
    let queue: QueueName
    let destination: String
    let checksums: [Digest]
    let size: ByteCount?
    let priority: Double
    let permissions: UInt16?

    /// From a row that begins with entry, destination, checksums, declaredSize, priority and permissions.
    init(_ rows: Statement, of scope: Scope, _ queue: QueueName) {
      self.scope = scope
      self.queue = queue
      destination = rows.text(1)
      checksums = rows.withBlob(2, DigestCoding.decode)
      size = rows.byteCountOrNull(3)
      priority = rows.double(4)
      permissions = rows.integerOrNull(5).map { UInt16(truncatingIfNeeded: $0) }
    }
  }

  /// Nil where the text does not make sense: somebody else wrote it.
  static func decode(_ text: String, _ row: Row) -> FileEntry? {
    let all = LineCoding.decode(text)
    let pairs = Dictionary(all) { first, _ in first }
    guard let url = pairs["url"].flatMap({ try? SourceURL($0) }),
      let destination = place(row.destination, root: pairs["root"] ?? "")
    else { return nil }
    return FileEntry(
      scope: row.scope, url: url, destination: destination, queue: row.queue, checksums: row.checksums, size: row.size,
      priority: row.priority, options: FileOptions(settings(all, permissions: row.permissions)),
      line: pairs["line"].flatMap { Int32($0) } ?? 1, column: pairs["column"].flatMap { Int32($0) } ?? 1)
  }

  /// Whether a part of what was asked for was not to be kept.
  static func isWithheld(_ text: String) -> Bool {
    LineCoding.decode(text).contains { $0.key == "withheld" }
  }

  /// The same lines with other headers.
  static func replacingHeaders(_ text: String, with headers: [HeaderField]) -> String {
    LineCoding.encode(
      LineCoding.decode(text).map { pair in
        pair.key == "headers" ? (key: pair.key, value: HeaderCoding.encode(headers)) : pair
      })
  }

  private static func place(_ path: String, root: String) -> Destination? {
    let below = root == "/" ? "/" : root + "/"
    guard !root.isEmpty, path.utf8.starts(with: below.utf8) else { return try? Destination(path, root: "/") }
    return try? Destination(String(path.utf8.dropFirst(below.utf8.count)) ?? path, root: root)
  }
}

extension FileEntry {
  /// Whether a record without secrets lacks anything that the request needs.
  fileprivate var hasSecrets: Bool {
    let lists = options.settings.listedChecksums.compactMap { list in
      if case .url(let url) = list.place { url } else { nil }
    }
    let urls = [url] + options.settings.mirrors + lists
    return !options.headers.isEmpty || urls.contains { StorableURL.text(of: $0.text) != $0.text }
  }
}
