import DLSyncModel

/// Reads configuration files of curl (its manual, `--config`): one option a line, long or short, with `=`, `:` or a
/// blank before the value, which may be in quotes. Options count for every URL of their part; `next` begins another
/// one.
struct CurlConfigReader {
  private struct Part {
    var urls: [(text: String, line: Int)] = []
    /// Names of outputs in their order; nil takes the URL's own.
    var outputs: [String?] = []
    var headers: [HeaderField] = []
    var folder: String?
    /// Whether brackets and braces mean nothing in URLs.
    var isLiteral = false
  }

  private static let shortNames: [Character: String] = [
    "o": "output", "O": "remote-name", "H": "header", "A": "user-agent", "e": "referer", "u": "user", "b": "cookie",
    "x": "proxy", "m": "max-time", "L": "location", "f": "fail", "s": "silent", "S": "show-error", "g": "globoff",
    "Z": "parallel", "#": "progress-bar", "v": "verbose", "C": "continue-at", "k": "insecure", "R": "remote-time",
    ":": "next",
  ]
  /// Letters of options without a value, behind which further letters may stand.
  private static let plainLetters = Set("012346:#BGIJLMNORSVZafgijklnpqsv")
  /// What a manifest does anyway, or what only says how curl talks.
  private static let needless: Set<String> = [
    "location", "fail", "silent", "show-error", "globoff", "parallel", "create-dirs", "remote-name-all", "progress-bar",
    "verbose", "continue-at", "fail-with-body", "no-progress-meter", "no-clobber", "remove-on-error", "disable",
    "fail-early", "tcp-nodelay",
  ]
  private static let flags: Set<String> = needless.subtracting(["continue-at"]).union([
    "remote-name", "insecure", "remote-time", "compressed", "next", "remote-header-name",
  ])

  private var part = Part()

  static func read(_ text: String, into reading: inout ListReading) throws(DLSyncError) {
    var config = CurlConfigReader()
    for (number, line) in ListReading.lines(text) { try config.read(line, number, &reading) }
    try config.finish(&reading)
  }

  private mutating func read(
    _ line: Substring, _ number: Int, _ reading: inout ListReading
  ) throws(DLSyncError) {
    let text = line.drop(while: \.isWhitespace)
    guard let first = text.first, first != "#" else { return }
    let options = Self.options(text)
    if options.isEmpty { throw reading.error(number, "this is no option of curl") }
    for (name, rest) in options {
      if name == "next" {
        try finish(&reading)
      } else {
        try take(name, Self.flags.contains(name) ? "" : Self.value(rest), number, &reading)
      }
    }
  }

  private mutating func take(
    _ name: String, _ value: String, _ number: Int, _ reading: inout ListReading
  ) throws(DLSyncError) {
    switch name {
    // Without a scheme curl takes it for a host and what stands there.
    case "url": part.urls.append((value.contains("://") ? value : "http://" + value, number))
    case "globoff": part.isLiteral = true
    case "output" where value == "-":
      part.outputs.append(nil)
      reading.losses.add("an output to standard output", line: number)
    case "output": part.outputs.append(value)
    case "remote-name": part.outputs.append(nil)
    case "output-dir": part.folder = value
    case "header":
      guard let header = Self.header(value) else {
        return reading.losses.add("a header from a file, or one that is not to be sent", line: number)
      }
      part.headers.append(header)
    case "user-agent": part.headers.append(HeaderField("User-Agent", value))
    case "referer": part.headers.append(HeaderField("Referer", value))
    case "cookie" where value.contains("="): part.headers.append(HeaderField("Cookie", value))
    case "oauth2-bearer": part.headers.append(HeaderField("Authorization", "Bearer " + value))
    case "user": part.headers.append(HeaderField("Authorization", "Basic " + Base64Text.encode(Array(value.utf8))))
    case "limit-rate":
      // curl's letters are powers of 1024, as here.
      guard let rate = SizeText.parse(value.uppercased()) else { return lose("limit-rate", number, &reading) }
      if rate > 0 { queue("rate: \(rate)", &reading) }
    case "retry":
      guard let retries = NumberText.whole(value) else { return lose("retry", number, &reading) }
      queue("retry: { maxAttempts: \(min(99, retries) + 1) }", &reading)
    case "proxy":
      // Without a scheme curl takes it for an HTTP proxy.
      let url = value.contains("://") ? value : "http://" + value
      guard ProxyText.isProxy(url) else { return reading.losses.add("a proxy of another kind", line: number) }
      queue("network: { proxy: \(YAMLText.value(url)) }", &reading)
    case _ where Self.needless.contains(name): break
    default: lose(name, number, &reading)
    }
  }

  private func lose(_ option: String, _ line: Int, _ reading: inout ListReading) {
    reading.losses.add("curl's option `\(Quote.short(option))`", line: line)
  }

  private func queue(_ line: String, _ reading: inout ListReading) {
    let key = line.prefix { $0 != ":" }
    reading.queueLines.removeAll { $0.hasPrefix(key + ":") }
    reading.queueLines.append(line)
  }

  /// The files of a part: URLs and outputs in their order.
  private mutating func finish(_ reading: inout ListReading) throws(DLSyncError) {
    defer { part = Part() }
    for (index, url) in part.urls.enumerated() {
      if !part.isLiteral, url.text.contains(where: { "[{".contains($0) }) {
        reading.losses.add("the meaning of brackets and braces in a URL", line: url.line)
      }
      var file = ListedFile(urls: [url.text], headers: part.headers, line: url.line)
      file.destination = index < part.outputs.count ? part.outputs[index] : nil
      if let folder = part.folder {
        file.destination = folder + "/" + (file.destination ?? (try? SourceURL(url.text))?.fileName ?? "index.html")
      }
      try reading.add(file)
    }
  }

  /// `Name: value`, or `Name;` where the value is empty; nil for a name of which curl sends nothing.
  private static func header(_ value: String) -> HeaderField? {
    if value.hasPrefix("@") { return nil }
    if !value.contains(":"), value.hasSuffix(";") {
      return HeaderField(HeaderText.trimmed(String(value.dropLast())), "")
    }
    return ListReading.header(value).flatMap { $0.value.isEmpty ? nil : $0 }
  }

  /// The options of a line by their long names, each with what stands behind it: several letters may share one dash.
  private static func options(_ text: Substring) -> [(name: String, rest: Substring)] {
    guard text.hasPrefix("-"), !text.hasPrefix("--") else {
      let body = text.hasPrefix("--") ? text.dropFirst(2) : text
      let name = body.prefix { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
      return name.isEmpty ? [] : [(String(name), body[name.endIndex...])]
    }
    var options: [(name: String, rest: Substring)] = []
    var rest = text.dropFirst()
    while let letter = rest.popFirst(), !letter.isWhitespace {
      options.append((shortNames[letter] ?? "-\(letter)", rest))
      if !plainLetters.contains(letter) { break }
    }
    return options
  }

  /// The value: in quotes with `\\`, `\"`, `\t`, `\n`, `\r`, `\v`, or up to the next blank.
  private static func value(_ rest: Substring) -> String {
    var text = rest.drop(while: \.isWhitespace)
    if let mark = text.first, mark == "=" || mark == ":" { text = text.dropFirst().drop(while: \.isWhitespace) }
    guard text.unicodeScalars.first == "\"" else { return String(text.prefix { !$0.isWhitespace }) }
    var result = String.UnicodeScalarView()
    var isEscape = false
    for character in text.unicodeScalars.dropFirst() {
      if isEscape {
        let known: [Unicode.Scalar: Unicode.Scalar] = ["t": "\t", "n": "\n", "r": "\r", "v": "\u{b}"]
        result.append(known[character] ?? character)
        isEscape = false
      } else if character == "\\" {
        isEscape = true
      } else if character == "\"" {
        break
      } else {
        result.append(character)
      }
    }
    return String(result)
  }
}

/// Writes configuration files of curl, one part a file.
enum CurlConfigWriter {
  static func write(_ files: [ListedFile]) -> String {
    files.map { file in
      var text = "url = \(quoted(file.urls[0]))\n"
      // To curl a dash alone is standard output.
      if let destination = file.destination { text += "output = \(quoted(destination == "-" ? "./-" : destination))\n" }
      for header in file.headers {
        // curl's way to send a header without a value.
        text += "header = \(quoted(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"))\n"
      }
      return text + "create-dirs\ngloboff\nlocation\nfail\n"
    }.joined(separator: "next\n")
  }

  private static func quoted(_ text: String) -> String {
    let inner = text.escaped { character in
      switch character {
      case "\\", "\"": "\\\(character)"
      case "\t": "\\t"
      case "\n": "\\n"
      case "\r": "\\r"
      default: nil
      }
    }
    return "\"\(inner)\""
  }
}
