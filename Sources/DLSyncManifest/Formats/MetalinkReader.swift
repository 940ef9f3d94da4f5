import DLSyncModel

/// Reads Metalink 4 (RFC 5854) and 3 (metalinker.org).
struct MetalinkReader {
  static let namespace4 = "urn:ietf:params:xml:ns:metalink"
  private static let namespace3 = "http://www.metalinker.org/"

  private struct Source {
    let url: String
    /// Smaller goes first.
    let rank: Int
  }

  private var reader: XMLReader
  private var isVersion3 = false
  /// Local names of the open elements; empty texts for those of other namespaces.
  private var path: [String] = []
  private var attributes: [String: String] = [:]
  private var text = ""
  private var file: ListedFile?
  private var sources: [Source] = []

  static func read(_ text: String, into reading: inout ListReading) throws(DLSyncError) {
    var metalink = MetalinkReader(reader: XMLReader(text))
    try metalink.run(&reading)
  }

  private init(reader: XMLReader) { self.reader = reader }

  private mutating func run(_ reading: inout ListReading) throws(DLSyncError) {
    while true {
      let event: XMLReader.Event
      do throws(XMLReader.Problem) { event = try reader.next() } catch {
        throw reading.error(error.line, error.message)
      }
      switch event {
      case .start(let name, let attributes): try begin(name, attributes, &reading)
      case .text(let more): text += more
      case .end: try end(&reading)
      case .finish: return
      }
    }
  }

  private mutating func begin(
    _ name: XMLReader.Name, _ attributes: [String: String], _ reading: inout ListReading
  ) throws(DLSyncError) {
    if path.isEmpty {
      isVersion3 = name.namespace == Self.namespace3
      guard name.local == "metalink", isVersion3 || name.namespace == Self.namespace4 else {
        throw reading.error(reader.line, "this is no Metalink: the outermost element is `\(Quote.short(name.local))`")
      }
    }
    path.append(name.namespace == (isVersion3 ? Self.namespace3 : Self.namespace4) ? name.local : "")
    self.attributes = attributes
    text = ""
    guard path == (isVersion3 ? ["metalink", "files", "file"] : ["metalink", "file"]) else { return }
    guard let fileName = attributes["name"], !fileName.isAbsolutePath else {
      throw reading.error(reader.line, "a file has no name, or an absolute one")
    }
    file = ListedFile(destination: fileName, line: reader.line)
    sources = []
  }

  private mutating func end(_ reading: inout ListReading) throws(DLSyncError) {
    defer {
      path.removeLast()
      text = ""
    }
    guard file != nil else { return }
    let inner = path.drop { $0 != "file" }.dropFirst()
    switch (isVersion3, Array(inner)) {
    case (_, []): try finish(&reading)
    case (_, ["size"]):
      guard let size = NumberText.whole(trimmed(text)) else { throw reading.error(reader.line, "a size is no number") }
      file?.size = size
    case (false, ["hash"]), (true, ["verification", "hash"]):
      let type = (attributes["type"] ?? "").lowercased().filter { $0 != "-" }
      let checksum = "\(type):\(trimmed(text))"
      file?.checksums.append(checksum)
    case (false, ["url"]):
      // Section 4.2.16.1: 1 is the highest, and none is the lowest.
      sources.append(Source(url: trimmed(text), rank: attributes["priority"].flatMap { Int($0) } ?? 999_999))
    case (true, ["resources", "url"]) where !isFetched(attributes["type"]):
      // A torrent is fetched over HTTP too, and is not the file.
      reading.losses.add("a URL of the type `\(Quote.short(attributes["type"] ?? ""))`", line: reader.line)
    case (true, ["resources", "url"]):
      // Version 3.0, section 4.1.2.4.3: 100 is the highest. Whatever else stands there is moved into its range.
      let preference = attributes["preference"].flatMap { Int($0) }.map { min(max($0, 0), 100) } ?? 0
      sources.append(Source(url: trimmed(text), rank: 100 - preference))
    case (false, ["metaurl"]): reading.losses.add("a `metaurl`", line: reader.line)
    case (_, ["signature"]), (true, ["verification", "signature"]):
      reading.losses.add("a signature", line: reader.line)
    case (false, ["pieces"]), (true, ["verification", "pieces"]):
      reading.losses.add("digests of pieces", line: reader.line)
    default: break
    }
  }

  private mutating func finish(_ reading: inout ListReading) throws(DLSyncError) {
    guard var done = file else { return }
    done.urls = sources.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element.url)
    file = nil
    try reading.add(done)
  }

  /// Whether what a type of version 3.0, section 4.1.2.4, names is the file itself. Of others the scheme tells.
  private func isFetched(_ type: String?) -> Bool {
    !["bittorrent", "magnet", "ed2k", "metalink"].contains((type ?? "http").lowercased())
  }

  private func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
