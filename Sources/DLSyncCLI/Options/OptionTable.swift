import DLSyncKit
import DLSyncModel

/// One option: how it is typed, what it does, who takes it.
struct OptionSpecification: Sendable {
  /// Without the dashes.
  let name: String
  let letter: Character?
  /// The word for its value in help; nil for an option without one.
  let value: String?
  /// Whether the value may be left out; then it is only given as `--name=VALUE`.
  var isValueOptional = false
  let summary: String
  /// The commands that take it.
  let commands: Set<CommandWord>
  /// Puts it into the settings, or says what it takes instead.
  let apply: @Sendable (inout Settings, String) throws(Refusal) -> Void

  /// A value that the option does not take.
  struct Refusal: Error {
    /// In words: `a whole number from 1 to 64`.
    let takes: String
    /// Where only certain words are right.
    var words: [String] = []
  }

  /// Whether the help of a command lists it. Every command takes `--version`, and it is no command's own.
  func isListed(for command: CommandWord) -> Bool { commands.contains(command) && name != "version" }

  /// A value as a message may show it: no header's value, no credential of a URL.
  func shown(_ value: String) -> String {
    guard name == "header" else { return Redaction.url(value) }
    guard let (field, _) = value.split(atFirst: ":"), HeaderText.isName(field) else { return Redaction.mark }
    return "\(field): \(Redaction.mark)"
  }

  /// As it is typed.
  var spelling: String { "--" + name }
}

/// Every option of this version, in the order of the help pages: the only source of parsing, help and nearest names.
enum OptionTable {
  private static let everything = Set(CommandWord.allCases)
  private static let planning: Set<CommandWord> = [.plan, .apply]
  private static let selecting: Set<CommandWord> = [.plan, .apply, .verify]
  private static let reading: Set<CommandWord> = [
    .plan, .apply, .verify, .check, .status, .state, .doctor, .lock, .export,
  ]
  private static let running: Set<CommandWord> = [.apply, .lock, .get]
  private static let caching: Set<CommandWord> = [.plan, .apply, .get, .cache]
  private static let asking: Set<CommandWord> = [.plan, .apply, .verify, .lock, .get]

  static let all: [OptionSpecification] = selection + execution + control + output

  private static let selection: [OptionSpecification] = [
    option("var", value: "NAME=VALUE", "set a variable of the manifest", reading.union(controlling)) {
      settings, text throws(Refusal) in
      guard let (name, value) = text.split(atFirst: "="), Workspace.isVariable(name) else {
        throw Refusal(takes: "a name of letters, digits, `_`, `-` and `.`, then \"=\" and a value")
      }
      settings.variables[name] = value
    },
    option("queue", value: "NAME", "only files of this queue (repeatable)", selecting.union(controlling)) {
      settings, text throws(Refusal) in
      settings.queues.append(try nonEmpty(text, "the name of a queue"))
    },
    option("only", value: "GLOB", "only files whose destination or URL matches (repeatable)", selecting) {
      settings, text throws(Refusal) in settings.only.append(try nonEmpty(text, "a pattern"))
    },
    option("tag", value: "TAG", "only files with this tag (repeatable)", selecting) {
      settings, text throws(Refusal) in settings.tags.append(try nonEmpty(text, "a tag"))
    },
    option("shard", value: "I/N", "only the I-th of N parts of the files, the same everywhere", selecting) {
      settings, text throws(Refusal) in
      guard let shard = Shard(text) else {
        throw Refusal(takes: "two whole numbers such as 1/4, the first up to the second")
      }
      settings.shard = shard
    },
    option("on-conflict", value: "POLICY", "files in the way: fail, replace or keep", planning.union([.get])) {
      settings, text throws(Refusal) in settings.onConflict = try word(text)
    },
    flag("refresh", "check finished files with their servers again", planning) { $0.refreshes = true },
    flag("verify", "hash every file that is there instead of trusting times", planning) { $0.hashesEverything = true },
    flag("repair", "fetch again what is missing or was changed", [.verify]) { $0.repairs = true },
    flag("locked", "fail where the lock file does not cover every file", planning) { $0.requiresLock = true },
    flag("offline", "contact no server: what is not here yet fails", planning.union([.get])) { $0.isOffline = true },
    flag("update", letter: "u", "ask the server again also for files that are locked", [.lock]) {
      $0.updatesLock = true
    },
    option("base-url", value: "URL", "what relative URLs and names of the list are relative to", [.`import`]) {
      settings, text throws(Refusal) in
      guard let url = try? SourceURL(text) else { throw Refusal(takes: "an http or https URL") }
      settings.baseURL = url
    },
    option("output", letter: "o", value: "DEST", "where the file goes; a slash at the end keeps its name", [.get]) {
      settings, text throws(Refusal) in
      // Elsewhere it means standard output, which has the path here.
      guard text != "-" else { throw Refusal(takes: "a path, such as ./- for a file of that name") }
      settings.output = try nonEmpty(text, "a path")
    },
    option("checksum", value: "SUM", "what the bytes must be: sha256:HEX (repeatable)", [.get]) {
      settings, text throws(Refusal) in
      guard let digest = Workspace.checksum(text) else { throw Refusal(takes: Workspace.checksumForm(text)) }
      settings.checksums.append(digest)
    },
    option("explain", value: "DEST", "where each value of this file comes from", [.plan]) {
      settings, text throws(Refusal) in settings.explains = try nonEmpty(text, "a destination or a URL")
    },
    flag("detailed-exitcode", "exit 0 nothing to do, 10 something, 3 conflicts", [.plan]) {
      $0.detailedExitCode = true
    },
  ]

  private static let execution: [OptionSpecification] = [
    flag("dry-run", letter: "n", "plan only, as \"dlsync plan\"", [.apply]) { $0.isDryRun = true },
    option("jobs", letter: "j", value: "N", "at most N files at once, over all queues", running) {
      settings, text throws(Refusal) in
      guard let number = NumberText.whole(text), (1...4096).contains(number) else {
        throw Refusal(takes: "a whole number from 1 to 4096")
      }
      settings.jobs = Int(number)
    },
    option("rate", value: "RATE", "at most so many bytes a second: 20MiB/s", running) {
      settings, text throws(Refusal) in
      guard let rate = RateText(text) else { throw Refusal(takes: "a rate such as 500kB/s or 20MiB/s") }
      settings.rate = rate.limit
    },
    OptionSpecification(
      name: "netrc", letter: nil, value: "FILE", isValueOptional: true,
      summary: "who you are for which host: ~/.netrc, or FILE", commands: asking
    ) { settings, text in settings.netrc = text.isEmpty ? .home : .file(text) },
    flag("prune", "forget what the manifest no longer names; delete unchanged files of it", planning) {
      $0.prunes = true
    },
    flag("fail-fast", "stop at the first failed file", [.apply]) { $0.failFast = true },
    option("cache", value: "DIR", "keep finished bytes there for other files and manifests; off", caching) {
      settings, text throws(Refusal) in
      settings.cache = try nonEmpty(text, "a folder, or off")
    },
    option("lock-timeout", value: "TIME", "wait so long for another run of the queue: 30s", [.apply, .get]) {
      settings, text throws(Refusal) in
      guard let time = DurationText.parse(text) else { throw Refusal(takes: "a duration such as 30s or 5m") }
      settings.lockTimeout = time
    },
    option("report", value: "FILE", "write a report: .html .json .xml .md .prom (repeatable)", [.apply]) {
      settings, text throws(Refusal) in
      guard let format = ReportFormat(path: text) else {
        let suffixes = UsageError.list(ReportFormat.allCases.map { ".\($0)" }, "or")
        throw Refusal(takes: "a file whose name ends in \(suffixes)")
      }
      settings.reports.append(ReportRequest(path: text, format: format))
    },
    option("progress", value: "HOW", "auto, bar, plain or none (a bar needs a terminal)", running) {
      settings, text throws(Refusal) in settings.progress = try word(text)
    },
  ]

  private static let output: [OptionSpecification] = [
    option("format", value: "FORMAT", "text, json or, of plan, apply and log, ndjson", everything) {
      settings, text throws(Refusal) in
      settings.format = try word(text)
    },
    flag("quiet", letter: "q", "print nothing but errors", everything) { $0.isQuiet = true },
    flag("verbose", letter: "v", "print more: reused files, retries", everything) { $0.isVerbose = true },
    option("color", value: "WHEN", "auto, always or never", everything) { settings, text throws(Refusal) in
      settings.color = try word(text)
    },
    option("state", value: "DIR", "the folder of the state", everything) { settings, text throws(Refusal) in
      settings.stateFolder = try nonEmpty(text, "a folder")
    },
    flag("help", letter: "h", "explain the command", everything) { $0.wantsHelp = true },
    flag("version", "print the version", everything) { $0.wantsVersion = true },
  ]

  typealias Refusal = OptionSpecification.Refusal

  static func option(
    _ name: String, letter: Character? = nil, value: String, _ summary: String, _ commands: Set<CommandWord>,
    _ apply: @escaping @Sendable (inout Settings, String) throws(Refusal) -> Void
  ) -> OptionSpecification {
    OptionSpecification(
      name: name, letter: letter, value: value, summary: summary, commands: commands, apply: apply)
  }

  static func flag(
    _ name: String, letter: Character? = nil, _ summary: String, _ commands: Set<CommandWord>,
    _ apply: @escaping @Sendable (inout Settings) -> Void
  ) -> OptionSpecification {
    OptionSpecification(name: name, letter: letter, value: nil, summary: summary, commands: commands) { settings, _ in
      apply(&settings)
    }
  }

  private static func word<Word: RawRepresentable & CaseIterable>(_ text: String) throws(Refusal) -> Word
  where Word.RawValue == String {
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    throw Refusal(takes: UsageError.list(words, "or"), words: words)
  }

  static func nonEmpty(_ text: String, _ takes: String) throws(Refusal) -> String {
    guard !text.isEmpty else { throw Refusal(takes: takes) }
    return text
  }
}
