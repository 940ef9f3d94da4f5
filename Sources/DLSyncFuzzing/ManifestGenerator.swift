import DLSyncTestSupport

/// Writes manifests at random that look like manifests: known keys and misspelled ones, right values and wrong ones, every
/// style of YAML, anchors, aliases and merge keys. The same seed writes the same text.
struct ManifestGenerator {
  private var random: SeededGenerator
  private var anchors: [String] = []
  private var text = ""

  init(_ random: SeededGenerator) { self.random = random }

  mutating func manifest() -> String {
    let lineEnd = chance(9) ? "\r\n" : "\n"
    if chance(12) { text += "\u{feff}" }
    if chance(8) { text += "# a comment \u{1f600}\n---\n" }
    var sections = ["version: \(pick(["1", "1", "1", "1", "1", "2", "x", "01"]))\n"]
    for key in ["name", "vars", "baseURL", "root", "defaults", "queues", "notify", "filesFrom", "x-unknown"]
    where chance(3) {
      sections.append(section(key))
    }
    sections.append(files())
    if chance(4) { sections.shuffle(using: &random) }
    text += sections.joined()
    if chance(20) { text += pick(["---\n", "...\n", "\t", "{", "&a", "*a\n", "? [x]\n"]) }
    return lineEnd == "\n" ? text : text.replacing("\n", with: lineEnd)
  }

  private mutating func section(_ key: String) -> String {
    switch key {
    case "vars":
      "vars: " + mapping((0..<count(4)).map { _ in (pick(Self.names), scalar()) })
    case "defaults": "defaults: " + anchored(mapping(fileKeys(isDefault: true)))
    case "queues":
      "queues: " + mapping((0..<count(3)).map { _ in (pick(Self.queues), anchored(mapping(queueKeys()))) })
    case "filesFrom":
      "filesFrom: "
        + list((0..<count(2)).map { _ in mapping([("path", pick(Self.lists))] + fileKeys(isDefault: true)) })
    case "notify": "notify: " + mapping([("success", scalar()), (pick(["failure", "failed"]), scalar())])
    default: "\(key): \(scalar())\n"
    }
  }

  private mutating func files() -> String {
    if chance(2) { return plainFiles() }
    if chance(15) { return "files: \(pick(["[]", "~", "{}", "x", "*a", "[[]]"]))\n" }
    let items = (0..<count(8)).map { _ in chance(5) ? pick(Self.urls) : anchored(mapping(fileKeys(isDefault: false))) }
    return "files: " + list(items)
  }

  /// Entries as most programs write them, and now and then one that is not quite so.
  private mutating func plainFiles() -> String {
    let indent = pick(["", "  ", "  ", "    "])
    let lines = (0..<count(6)).flatMap { _ -> [String] in
      if chance(4) { return ["- " + pick(Self.urls)] + (chance(6) ? ["  " + scalar()] : []) }
      let pairs = [("url", pick(Self.urls))] + (0..<count(4)).map { _ in plainKey() }
      if chance(2) {
        let (begin, end) = chance(2) ? ("{", "}") : (pick(["{ ", "{  "]), pick([" }", "}", " } ", "},"]))
        let text = pairs.map { "\($0.0): \($0.1)" }.joined(separator: chance(12) ? pick([",", " , ", ",  "]) : ", ")
        return ["- " + begin + text + (chance(20) ? ", " : "") + end]
      }
      return pairs.enumerated().map { ($0 == 0 ? "- " : "  ") + "\($1.0): \($1.1)" }
    }
    let odd = [
      "", "# c", "  # c", "-", "  x", "   a: b", "\tx: y", "...", "---", "{}", "- - a", "-  url: https://h/a", "  a:",
    ]
    var text = chance(12) ? "files: # c\n" : "files:\n"
    for line in lines {
      if chance(20) { text += pick(odd) + "\n" }
      text += indent + line + (chance(40) ? " " : "") + "\n"
    }
    if chance(4), text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  private mutating func plainKey() -> (String, String) {
    let (key, value) = fileKey()
    return (key, value.contains("\n") ? pick(Self.usual) : value)
  }

  private mutating func fileKeys(isDefault: Bool) -> [(String, String)] {
    var pairs: [(String, String)] = isDefault ? [] : [("url", pick(Self.urls))]
    for _ in 0..<count(6) { pairs.append(fileKey()) }
    if chance(6), !anchors.isEmpty { pairs.append(("<<", "*" + anchors.randomElement(using: &random)!)) }
    if chance(12) { pairs.append(pairs.randomElement(using: &random) ?? ("a", "b")) }
    return pairs
  }

  private mutating func fileKey() -> (String, String) {
    switch pick(Self.fileKeys) {
    case "headers":
      ("headers", mapping((0..<count(3)).map { _ in (pick(["X-A", "x-a", "Range", "A B", "Cookie"]), scalar()) }))
    case "matrix":
      ("matrix", mapping((0..<count(3)).map { _ in (pick(Self.names), list((0..<count(6)).map { _ in scalar() })) }))
    case "mirrors": ("mirrors", list((0..<count(3)).map { _ in pick(Self.urls) }))
    case "checksum":
      (
        "checksum",
        chance(3)
          ? mapping([("algorithm", pick(Self.algorithms)), (pick(["value", "from", "vlaue"]), pick(Self.digests))])
          : chance(5) ? list([pick(Self.digests), pick(Self.digests)]) : pick(Self.digests)
      )
    case "tags": ("tags", list((0..<count(3)).map { _ in scalar() }))
    case let key: (key, chance(4) ? scalar() : pick(Self.values[key] ?? ["~", "\"\"", "x"]))
    }
  }

  private mutating func queueKeys() -> [(String, String)] {
    (0..<count(5)).map { _ in
      switch pick(Self.queueKeys) {
      case "timeouts": ("timeouts", mapping([("connect", pick(Self.quantities)), ("request", scalar())]))
      case "retry":
        ("retry", mapping([("maxAttempts", pick(Self.quantities)), ("statusCodes", list([scalar(), "503"]))]))
      case "network": ("network", mapping([("proxy", pick(Self.urls)), ("ipVersion", scalar())]))
      case let key: (key, chance(3) ? scalar() : pick(Self.quantities))
      }
    }
  }

  // MARK: YAML

  /// In flow style, or as a block that the next line begins.
  private mutating func mapping(_ pairs: [(String, String)]) -> String {
    if pairs.contains(where: { $0.1.contains("\n") }) || chance(2) { return block(pairs.map { "\($0.0): \($0.1)" }) }
    return "{" + pairs.map { "\($0.0): \($0.1)" }.joined(separator: ", ") + "}"
  }

  private mutating func list(_ items: [String]) -> String {
    if items.contains(where: { $0.contains("\n") }) || chance(2) { return block(items.map { "- \($0)" }) }
    return "[" + items.joined(separator: ", ") + "]"
  }

  private mutating func block(_ lines: [String]) -> String {
    guard !lines.isEmpty else { return "\n" }
    let indent = chance(30) ? "\t" : "  "
    let body = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: true) }
    return "\n" + body.map { "\(indent)\($0)\n" }.joined()
  }

  private mutating func anchored(_ value: String) -> String {
    guard chance(5) else { return value }
    if chance(2), let name = anchors.randomElement(using: &random) { return "*\(name)" }
    let name = "a\(anchors.count)"
    anchors.append(name)
    return "&\(name) \(value)"
  }

  private mutating func scalar() -> String { chance(3) ? pick(Self.odd) : pick(Self.usual) }

  private mutating func pick(_ words: [String]) -> String { words.randomElement(using: &random)! }
  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
  private mutating func count(_ limit: Int) -> Int { Int.random(in: 0...limit, using: &random) }
}

extension ManifestGenerator {
  private static let names = ["a", "b", "arch", "release", "A-1", "1", "", "a b"]
  private static let queues = ["default", "large", "q", "\"\"", "1.10"]
  private static let lists = ["l.urls", "l.ndjson", "l.csv", "l.tsv", "l.aria2", "SHA256SUMS", "l", "missing.csv"]
  private static let algorithms = ["sha256", "SHA-512", "md5", "crc32", "~"]
  private static let urls = [
    "https://h/a", "http://h:80/a b", "a.bin", "https://h/${a}", "//h/x", "ftp://h/a", "https://u:p@h/", "https://h/#f",
    "https://ex\u{e4}mple/\u{159}?q=[1]", "\"https://h/\\u0000\"", "https://h/%2F", "https://[::1]/a",
    "https://h:99999/",
    "../../a", "?q", "", "https://h/{x,y}",
  ]
  private static let digests = [
    String(repeating: "0f", count: 32), "sha256:" + String(repeating: "AB", count: 32), "md5:0", "sha256-LCa0a2j/",
    "SUMS",
    "\"\"", "~", "sha512:" + String(repeating: "1", count: 128), "${a}", "https://h/SHA256SUMS",
  ]
  private static let fileKeys = [
    "destination", "managed", "queue", "mirrors", "checksum", "size", "priority", "headers", "permissions",
    "onConflict",
    "refresh", "contentEncoding", "modified", "notify", "tags", "matrix", "cheksum", "url",
  ]
  private static let queueKeys = [
    "mode", "concurrency", "connectionsPerFile", "chunkSize", "rate", "timeouts", "retry", "network",
    "progressInterval", "tls",
  ]
  private static let values: [String: [String]] = [
    "destination": ["a/b", "${a}/x", "../x", "/abs", "d/", "~/x", "1.10", "s3://b/k", "\"a\\0b\"", "."],
    "size": ["1", "4MiB", "-1", "1.5", "99999999999999999999"], "priority": ["0", "1", "0.5", "1e3", "nan"],
    "permissions": ["\"0644\"", "0644", "644", "07777"], "onConflict": ["fail", "keep", "no"],
    "refresh": ["always", "1h", "never"], "managed": ["true", "yes"], "queue": ["default", "large", "q"],
  ]
  private static let quantities = [
    "1", "64", "4MiB", "20MiB/s", "unlimited", "1h 30m", "0", "-1", "background", "1.5", "true",
  ]
  private static let usual = [
    "x", "1.10", "no", "a b", "${a}", "${env:SET}", "${env:UNSET:-d}", "https://h/a", "\"q\"", "'s'",
  ]
  private static let odd = [
    "~", "null", "", "${", "${}", "$${a}", "${env:UNSET}", "${nope}", "\"\\x41\\u00e9\"", "\"\\ud800\"",
    "|\n    line\n",
    ">-\n    fold\n", "!!str 1", "!local x", "&z v", "*z", "0x1F", ".inf", "2024-01-01", "\u{202e}abc", "\u{85}", "- -",
    "{a: [b, {c: d}]}", "\"unclosed", "'", "%", "@", "`", "x: y", "#c",
  ]
}
