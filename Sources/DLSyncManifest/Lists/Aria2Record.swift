/// One download of an aria2 input file: its URLs, the first of which is asked first, and the options that mean something
/// here. Options that only tune a transfer are for the queue to say and are passed over.
struct Aria2Record {
  /// A text of the file and its place.
  struct Part {
    let bytes: [UInt8]
    let place: TextPosition
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// What became of a line.
  enum Outcome {
    case taken
    /// An option that only tunes a transfer; its name.
    case tuning(String)
    case unknown(String, TextPosition)
    case wrong(TextPosition, String)
  }

  private static let tuning: Set<String> = [
    "split", "max-connection-per-server", "min-split-size", "continue", "max-tries", "retry-wait", "timeout",
    "connect-timeout", "max-download-limit", "lowest-speed-limit", "file-allocation", "allow-overwrite",
    "auto-file-renaming", "check-integrity", "conditional-get", "piece-length", "stream-piece-selector", "gid", "pause",
    "remote-time", "always-resume", "max-file-not-found", "parameterized-uri",
  ]

  private(set) var urls: [Part] = []
  /// `out`, `dir` and `checksum`, as far as they are given.
  private(set) var options: [String: Part] = [:]
  private(set) var headers: [(name: Part, value: Part)] = []

  /// A line of URLs, separated by tabs.
  init(_ line: ArraySlice<UInt8>, number: Int) {
    var columns = ColumnCounter(line)
    for field in line.split(separator: 0x09) {
      // Blanks around one are no part of it.
      guard let first = field.firstIndex(where: { $0 != 0x20 }), let last = field.lastIndex(where: { $0 != 0x20 })
      else { continue }
      let url = field[first...last]
      urls.append(Part(bytes: Array(url), place: TextPosition(number, columns.column(of: url.startIndex))))
    }
  }

  /// An indented line `name=value`.
  mutating func take(_ line: ArraySlice<UInt8>, number: Int) -> Outcome {
    var columns = ColumnCounter(line)
    let text = line.drop { $0 == 0x20 || $0 == 0x09 }
    let place = TextPosition(number, columns.column(of: text.startIndex))
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
      return .wrong(place, "an option is written `name=value`")
    }
    let name = String(decoding: text[..<equals], as: UTF8.self)
    let value = text[(equals + 1)...]
    let part = Part(bytes: Array(value), place: TextPosition(number, columns.column(of: value.startIndex)))
    switch name {
    case "out", "dir", "checksum": options[name] = part
    case "header":
      guard let colon = value.firstIndex(of: UInt8(ascii: ":")) else {
        return .wrong(part.place, "a header is written `Name: value`")
      }
      headers.append(
        (
          Part(bytes: Array(value[..<colon]), place: part.place),
          Part(bytes: Array(value[(colon + 1)...].drop { $0 == 0x20 }), place: part.place)
        ))
    // `*` there is the URL of the file itself.
    case "referer" where value.elementsEqual("*".utf8): return .tuning(name)
    case "user-agent": addHeader("User-Agent", part)
    case "referer": addHeader("Referer", part)
    case _ where Self.tuning.contains(name): return .tuning(name)
    default: return .unknown(name, place)
    }
    return .taken
  }

  private mutating func addHeader(_ name: String, _ value: Part) {
    headers.append((Part(bytes: Array(name.utf8), place: value.place), value))
  }

  /// Whether a line may be quoted: an option may be a password or a header. Those that are none are known.
  static func mayShow(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, first == 0x20 || first == 0x09 else { return true }
    let name = line.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != UInt8(ascii: "=") }
    return ["out", "dir", "checksum"].contains { name.elementsEqual($0.utf8) }
  }

  /// Hands the download on as a record.
  func emit(_ record: RecordTree, _ emit: (NodeRef) -> Void) {
    guard let first = urls.first else { return }
    var record = record
    record.begin(.mapping, at: first.place)
    record.add("url".utf8, at: first.place)
    record.add(first.bytes, at: first.place)
    if let destination {
      record.add("destination".utf8, at: destination.place)
      record.add(destination.bytes, at: destination.place)
    }
    if urls.count > 1 {
      record.add("mirrors".utf8, at: urls[1].place)
      record.begin(.sequence, at: urls[1].place)
      for url in urls.dropFirst() { record.add(url.bytes, at: url.place) }
      record.end()
    }
    // `sha-256=…` there is `sha256:…` here.
    if let checksum = options["checksum"] {
      record.add("checksum".utf8, at: checksum.place)
      record.add(checksum.bytes.map { $0 == UInt8(ascii: "=") ? UInt8(ascii: ":") : $0 }, at: checksum.place)
    }
    if let place = headers.first?.name.place {
      record.add("headers".utf8, at: place)
      record.begin(.mapping, at: place)
      for header in headers {
        record.add(header.name.bytes, at: header.name.place)
        record.add(header.value.bytes, at: header.value.place)
      }
      record.end()
    }
    record.end()
    emit(record.root)
  }

  /// `dir` lies below `root`, however it is written; without `out` the URL gives the name.
  private var destination: Part? {
    guard let place = options["out"]?.place ?? options["dir"]?.place else { return nil }
    var path: [UInt8] = []
    if let directory = options["dir"]?.bytes.drop(while: { $0 == UInt8(ascii: "/") }), !directory.isEmpty {
      path += directory
      if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
    }
    path += options["out"]?.bytes.drop { $0 == UInt8(ascii: "/") } ?? []
    return path.isEmpty ? nil : Part(bytes: path, place: place)
  }
}
