package import DLSyncModel

/// Makes a manifest of the list of another tool. What the list says and a manifest cannot say is told; what would be dangerous
/// or ambiguous is an error with its line.
package struct ListReading {
  /// The list as it is named to people.
  let source: String
  /// What relative URLs are relative to.
  let base: SourceURL?
  private(set) var files: [ListedFile] = []
  var losses = LossNotes()
  /// Settings of the one queue, as lines of a manifest.
  var queueLines: [String] = []
  /// Whether there are URLs that lack their beginning.
  private(set) var needsBase = false

  /// Reads a list. Errors are `manifestInvalid`, with the line.
  package static func manifest(
    _ bytes: [UInt8], _ format: ListFormat, source: String, base: SourceURL?
  ) throws(DLSyncError) -> ConvertedList {
    var reading = ListReading(source: source, base: base)
    guard
      let text = String(validating: bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...], as: UTF8.self)
    else { throw reading.error(1, "the text is not UTF-8") }
    switch format {
    case .aria2: try Aria2List.read(text, into: &reading)
    case .metalink: try MetalinkReader.read(text, into: &reading)
    case .sums: try SumsList.read(text, into: &reading)
    case .urls: try URLList.read(text, into: &reading)
    case .curl: try CurlConfigReader.read(text, into: &reading)
    }
    return ConvertedList(text: ManifestWriter(reading).text(format), losses: reading.losses.sentences)
  }

  /// An error of the list.
  func error(_ line: Int, _ message: String, hint: String? = nil) -> DLSyncError {
    DLSyncError(
      .manifestInvalid, "\(source):\(line): \(message)", hint: hint,
      .init(location: SourceLocation(file: source, line: line, column: 1)))
  }

  /// Takes a file that is right; one without any URL that can be fetched is left out.
  mutating func add(_ file: ListedFile) throws(DLSyncError) {
    var file = file
    var urls: [String] = []
    for url in file.urls {
      if let right = try read(url, file.line), !urls.contains(right) { urls.append(right) }
    }
    guard let first = urls.first else {
      losses.add("a file without an http or https URL", line: file.line)
      return
    }
    file.urls = urls
    if let destination = file.destination {
      file.destination = try checked(destination, file.line)
    } else if (try? SourceURL(first, relativeTo: base ?? Self.anyBase))?.fileName == nil {
      file.destination = "index.html"
    }
    file.headers = try checked(file.headers, file.line)
    file.checksums = file.checksums.filter { text in
      if (try? DigestText.parse(text)) != nil { return true }
      losses.add("the checksum \(Quote.text(text))", line: file.line)
      return false
    }
    files.append(file)
  }

  /// Any base will do to see whether a reference can be one.
  private static let anyBase = try? SourceURL("http://localhost/")

  /// The URL as the manifest writes it; nil for one that cannot be fetched.
  private mutating func read(_ url: String, _ line: Int) throws(DLSyncError) -> String? {
    do throws(SourceURL.Problem) {
      return try SourceURL(url, relativeTo: base).text
    } catch {
      switch error {
      case .relative:
        guard (try? SourceURL(url, relativeTo: Self.anyBase)) != nil else { break }
        needsBase = true
        return url
      case .scheme(let scheme):
        losses.add("a URL of the scheme `\(Quote.short(scheme))`", line: line)
        return nil
      default: break
      }
      throw self.error(line, Self.words(error))
    }
  }

  /// Never more of the URL than a scheme: the rest may hold a password.
  private static func words(_ problem: SourceURL.Problem) -> String {
    switch problem {
    case .userInformation: "the URL holds user information; give credentials as a header instead"
    case .fragment: "the URL has a fragment, which is never sent"
    case .empty: "the URL is empty"
    default: "this is no URL"
    }
  }

  /// A path that stays below the folder, or an absolute one that was written as such.
  private func checked(_ path: String, _ line: Int) throws(DLSyncError) -> String {
    let isHome = path == "~" || path.beginsBytewise(with: "~/")
    guard PathText.remoteScheme(path) == nil, !isHome, let destination = try? Destination(path, root: "/-") else {
      throw notBelow(path, line)
    }
    return destination.relativePath
  }

  /// The error of a name that leads elsewhere.
  func notBelow(_ path: String, _ line: Int) -> DLSyncError {
    error(
      line, "\(Quote.text(path)) is no path of a file below the folder",
      hint: "a name may not lead out of the folder by `..`, be a folder, or be a place elsewhere")
  }

  private mutating func checked(_ headers: [HeaderField], _ line: Int) throws(DLSyncError) -> [HeaderField] {
    var kept: [HeaderField] = []
    for header in headers {
      guard HeaderText.isName(header.name), HeaderText.isValue(header.value) else {
        throw error(line, "a header's name or value holds a character that none may hold")
      }
      if HeaderText.reserved.contains(header.name.lowercased()) {
        losses.add("the header `\(header.name)`, which is dlsync's own", line: line)
      } else {
        kept.removeAll { $0.name.lowercased() == header.name.lowercased() }
        kept.append(header)
      }
    }
    return kept
  }

  /// `Name: value`; nil for anything else.
  static func header(_ text: some StringProtocol) -> HeaderField? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = HeaderText.trimmed(String(text[..<colon]))
    return name.isEmpty ? nil : HeaderField(name, HeaderText.trimmed(String(text[text.index(after: colon)...])))
  }

  /// The lines of a text with their numbers, ends of any kind removed.
  static func lines(_ text: String) -> some Sequence<(number: Int, text: Substring)> {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .enumerated().lazy.map { ($0.offset + 1, $0.element) }
  }
}

extension ListReading {
  init(source: String, base: SourceURL?) {
    self.source = source
    self.base = base
  }
}
