package import DLSyncModel

/// Makes the list of another tool of a manifest. What the format cannot say is told.
package struct ListWriting {
  private let manifest: Manifest
  private let format: ListFormat
  private var losses = LossNotes()

  /// The list, and what it does not say.
  package static func list(_ manifest: Manifest, _ format: ListFormat) -> ConvertedList {
    var writing = ListWriting(manifest: manifest, format: format)
    let files = writing.files()
    let text =
      switch format {
      case .aria2: Aria2List.write(files)
      case .metalink: MetalinkWriter.write(files)
      case .sums: SumsList.write(files)
      case .urls: URLList.write(files)
      case .curl: CurlConfigWriter.write(files)
      }
    return ConvertedList(text: text, losses: writing.losses.sentences)
  }

  private init(manifest: Manifest, format: ListFormat) {
    self.manifest = manifest
    self.format = format
  }

  private mutating func files() -> [ListedFile] {
    if manifest.queues.contains(where: { $0.configuration != QueueConfiguration() }) { lose("the settings of queues") }
    return manifest.files.compactMap { entry in
      noteSettings(entry)
      var file = ListedFile(line: Int(entry.line))
      file.urls = urls(entry)
      guard let destination = destination(entry) else { return nil }
      file.destination = destination
      file.checksums = checksums(entry)
      if format == .sums, file.checksums.isEmpty {
        lose("a file without a checksum")
        return nil
      }
      file.size = entry.size?.bytes
      if entry.size != nil, format != .metalink { lose("a size") }
      file.headers = headers(entry)
      return file
    }
  }

  private mutating func lose(_ what: String) { losses.add("\(what), which \(name) cannot say") }

  private var name: String {
    switch format {
    case .aria2: "an input file of aria2"
    case .metalink: "Metalink"
    case .sums: "a list of checksums"
    case .urls: "a list of URLs"
    case .curl: "a configuration of curl"
    }
  }

  /// What no format says.
  private mutating func noteSettings(_ entry: FileEntry) {
    let settings = entry.options.settings
    if entry.priority != 0.5 { lose("a priority") }
    if entry.queue != .default { lose("the choice of a queue") }
    if settings.permissions != nil { lose("permissions") }
    if settings.onConflict != .fail { lose("an `onConflict`") }
    if settings.refresh != .never { lose("a `refresh`") }
    if settings.keepsEncoding { lose("`contentEncoding: keep`") }
    if settings.takesServerTime { lose("`modified: server`") }
    if settings.notify != nil { lose("a `notify`") }
    if !settings.tags.isEmpty { lose("tags") }
    if !settings.listedChecksums.isEmpty { lose("a checksum `from` a list") }
  }

  private mutating func urls(_ entry: FileEntry) -> [String] {
    guard format != .sums else {
      lose("URLs")
      return [entry.url.text]
    }
    let mirrors = entry.options.settings.mirrors.map(\.text)
    guard format == .aria2 || format == .metalink else {
      if !mirrors.isEmpty { lose("mirrors") }
      return [entry.url.text]
    }
    return [entry.url.text] + mirrors
  }

  /// Below the root; whole where it was written so. Nil where the format has no way to say it.
  private mutating func destination(_ entry: FileEntry) -> String? {
    let path = entry.destination.relativePath
    if format == .urls {
      if path != entry.url.fileName { lose("a destination") }
      return path
    }
    if format == .metalink, path.isAbsolutePath {
      lose("a file with an absolute destination")
      return nil
    }
    if format == .aria2, let reason = Self.lineTrouble(path) ?? Self.lineTrouble(entry.destination.name) {
      lose(reason)
      return nil
    }
    if format == .metalink, path.unicodeScalars.contains(where: { !MetalinkWriter.mayStand($0) }) {
      lose("a file whose name holds a control character")
      return nil
    }
    return path
  }

  /// Why a path, or the name at its end, is not what aria2 takes of a line.
  private static func lineTrouble(_ path: String) -> String? {
    if path.contains(where: \.isNewline) { return "a file whose name holds a line end" }
    let ends = [path.utf8.first, path.utf8.last]
    return ends.contains(0x20) || ends.contains(0x09) ? "a file whose name begins or ends with a blank" : nil
  }

  private mutating func checksums(_ entry: FileEntry) -> [String] {
    switch format {
    case .urls, .curl:
      if !entry.checksums.isEmpty { lose("a checksum") }
      return []
    case .sums:
      if entry.checksums.count > 1 { lose("a second checksum") }
      return entry.checksums.map(\.description)
    case .metalink:
      if entry.checksums.contains(where: { $0.algorithm == .blake2b512 }) { lose("a BLAKE2 checksum") }
      return entry.checksums.filter { $0.algorithm != .blake2b512 }.map(\.description)
    case .aria2:
      // One for each file, the strongest.
      let known = entry.checksums.filter { $0.algorithm != .blake2b512 }
      if known.count < entry.checksums.count { lose("a BLAKE2 checksum") }
      if known.count > 1 { lose("a second checksum") }
      let best = known.max { $0.algorithm.length < $1.algorithm.length }
      return best.map { ["\(MetalinkWriter.name($0.algorithm))=\($0.hex)"] } ?? []
    }
  }

  private mutating func headers(_ entry: FileEntry) -> [HeaderField] {
    let headers = entry.options.headers
    guard !headers.isEmpty else { return [] }
    guard format == .aria2 || format == .curl else {
      lose("headers")
      return []
    }
    return headers
  }
}
