/// The commands.
enum CommandWord: String, CaseIterable, Sendable {
  case plan, apply, status, verify, check, version, help
  case log, wait, pause, resume, cancel, restart, remove, priority, reorder, headers, get, lock, `init`, `import`
  case export, cache, state, doctor, agent, schema, completions

  /// The forms of output that the command has.
  var formats: [Settings.Format] { [.plan, .apply, .log].contains(self) ? [.text, .json, .ndjson] : [.text, .json] }

  /// What may stand behind the command.
  enum Arguments: Hashable, Sendable {
    case none
    /// At least one.
    case some(String)
    /// Any number.
    case any(String)
    /// At most one.
    case one(String)
    /// One, then any number of others.
    case first(String, rest: String)
    /// Exactly these.
    case exactly([String])
    /// One of these words, and behind it what the word takes.
    case actions([Action])

    /// As the usage line shows it.
    var synopsis: String {
      switch self {
      case .none: ""
      case .some(let name): "\(name)…"
      case .any(let name): "[\(name)…]"
      case .one(let name): "[\(name)]"
      case .first(let name, let rest): "\(name) [\(rest)…]"
      case .exactly(let names): names.joined(separator: " ")
      case .actions(let actions): actions.map(\.synopsis).joined(separator: " | ")
      }
    }
  }

  /// A word behind a command that says what to do.
  struct Action: Hashable, Sendable {
    let word: String
    var arguments = Arguments.none

    /// As the usage line shows it.
    var synopsis: String { arguments.synopsis.isEmpty ? word : "\(word) \(arguments.synopsis)" }
  }

  /// What its help page says.
  var guide: CommandGuide {
    switch self {
    case .plan: PlanCommand.guide
    case .apply: ApplyCommand.guide
    case .status: StatusCommand.guide
    case .verify: VerifyCommand.guide
    case .check: CheckCommand.guide
    case .lock: LockCommand.guide
    case .`init`: InitCommand.guide
    case .get: GetCommand.guide
    case .schema: SchemaCommand.guide
    case .`import`: ImportCommand.guide
    case .export: ExportCommand.guide
    case .state: StateCommand.guide
    case .doctor: DoctorCommand.guide
    case .agent: AgentCommand.guide
    case .cache: CacheCommand.guide
    case .log: LogCommand.guide
    case .wait: WaitCommand.guide
    case .pause, .resume, .cancel, .restart, .remove, .priority, .reorder, .headers: ControlCommand.guide(of: self)
    case .completions: CompletionsCommand.guide
    case .version: VersionCommand.guide
    case .help: HelpCommand.guide
    }
  }

  var arguments: Arguments { guide.arguments }

  /// One line for the list of commands.
  var summary: String { guide.summary }
}

/// What the help page of a command is made from; each command's own file has it.
struct CommandGuide: Sendable {
  /// What may stand behind the command.
  var arguments = CommandWord.Arguments.none
  /// One line for the list of commands.
  let summary: String
  /// The example that the help page begins with.
  let example: String
  /// Paragraphs below the usage line.
  let explanation: [String]
}
