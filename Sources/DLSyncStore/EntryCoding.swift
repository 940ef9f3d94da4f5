import DLSyncModel

/// What the agent must know of an entry beyond the task's own row: where its URL leads, credentials included, the request
/// headers, and where the manifest's root is. As key=value lines.
enum EntryCoding {
  static func encode(_ entry: FileEntry) -> String {
    SettingsCoding.encode([
      (key: "url", value: entry.url.text),
      (key: "root", value: entry.destination.root ?? ""),
      (key: "headers", value: HeaderCoding.encode(entry.options.headers)),
      (key: "onConflict", value: entry.options.onConflict.rawValue),
      (key: "line", value: "\(entry.line)"),
      (key: "column", value: "\(entry.column)"),
    ])
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
  }

  /// Nil where the text does not make sense: somebody else wrote it.
  static func decode(_ text: String, _ row: Row) -> FileEntry? {
    let pairs = Dictionary(SettingsCoding.decode(text)) { first, _ in first }
    guard let url = pairs["url"].flatMap({ try? SourceURL($0) }),
      let destination = place(row.destination, root: pairs["root"] ?? "")
    else { return nil }
    let options = FileOptions(
      headers: HeaderCoding.decode(pairs["headers"] ?? ""), permissions: row.permissions,
      onConflict: pairs["onConflict"].flatMap { ConflictPolicy(rawValue: $0) } ?? .fail)
    return FileEntry(
      scope: row.scope, url: url, destination: destination, queue: row.queue, checksums: row.checksums, size: row.size,
      priority: row.priority, options: options, line: pairs["line"].flatMap { Int32($0) } ?? 1,
      column: pairs["column"].flatMap { Int32($0) } ?? 1)
  }

  /// The same lines with other headers.
  static func replacingHeaders(_ text: String, with headers: [HeaderField]) -> String {
    SettingsCoding.encode(
      SettingsCoding.decode(text).map { pair in
        pair.key == "headers" ? (key: pair.key, value: HeaderCoding.encode(headers)) : pair
      })
  }

  private static func place(_ path: String, root: String) -> Destination? {
    let below = root == "/" ? "/" : root + "/"
    guard !root.isEmpty, path.utf8.starts(with: below.utf8) else { return try? Destination(path, root: "/") }
    return try? Destination(String(path.utf8.dropFirst(below.utf8.count)) ?? path, root: root)
  }
}
