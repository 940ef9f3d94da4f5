import DLSyncModel

/// Understands a command line by the option table, GNU style: options anywhere, `--name value` and `--name=value`, short
/// ones together, everything behind `--` an argument.
struct ArgumentReader {
  private var rest: ArraySlice<String>
  private var command: CommandWord?
  private var arguments: [String] = []
  private var settings = Settings()
  private var used: [(option: OptionSpecification, spelling: String)] = []

  /// Reads the arguments behind the program's name.
  static func read(_ arguments: [String]) throws(UsageError) -> Invocation {
    var reader = ArgumentReader(rest: arguments[...])
    return try reader.readAll()
  }

  /// The format that was asked for, as far as a command line that is wrong elsewhere can tell.
  static func format(of arguments: [String]) -> Settings.Format {
    var format = Settings.Format.text
    for (index, argument) in arguments.enumerated() {
      if argument == "--" { break }
      if argument.hasPrefix("--format=") {
        format = Settings.Format(rawValue: String(argument.dropFirst(9))) ?? format
      } else if argument == "--format", index + 1 < arguments.count {
        format = Settings.Format(rawValue: arguments[index + 1]) ?? format
      }
    }
    return format
  }

  /// The command that was given, as far as a command line that is wrong elsewhere can tell.
  static func command(of arguments: some Sequence<String>) -> CommandWord? {
    arguments.prefix { $0 != "--" }.lazy.compactMap { CommandWord(rawValue: $0) }.first
  }

  private init(rest: ArraySlice<String>) { self.rest = rest }

  private mutating func readAll() throws(UsageError) -> Invocation {
    while let argument = rest.popFirst() {
      if argument == "--" {
        for argument in rest { try take(argument) }
        break
      } else if argument.hasPrefix("--") {
        try readLong(argument.dropFirst(2))
      } else if argument.hasPrefix("-"), argument.utf8.count > 1 {
        try readShort(argument.dropFirst())
      } else {
        try take(argument)
      }
    }
    return try finish()
  }

  private mutating func take(_ argument: String) throws(UsageError) {
    guard command == nil else {
      arguments.append(argument)
      return
    }
    guard let word = CommandWord(rawValue: argument) else {
      throw .notACommand(argument)
    }
    command = word
  }

  private mutating func readLong(_ text: Substring) throws(UsageError) {
    let parts = String(text).split(atFirst: "=")
    let name = parts?.before ?? String(text)
    guard let option = OptionTable.all.first(where: { $0.name == name }) else {
      throw .notAnOption(name, of: command ?? Self.command(of: rest))
    }
    try use(option, spelling: "--" + name, value: parts?.behind)
  }

  private mutating func readShort(_ letters: Substring) throws(UsageError) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = OptionTable.all.first(where: { $0.letter == letter }) else {
        throw .notALetter(letter, of: command ?? Self.command(of: rest))
      }
      let takesRest = option.value != nil && !letters.isEmpty
      try use(option, spelling: "-\(letter)", value: takesRest ? String(letters) : nil)
      if takesRest { return }
    }
  }

  private mutating func use(_ option: OptionSpecification, spelling: String, value: String?) throws(UsageError) {
    used.append((option, spelling))
    guard let word = option.value else {
      guard value == nil else { throw .needlessValue(option: spelling) }
      try set(option, spelling, "")
      return
    }
    if option.isValueOptional, value == nil { return try set(option, spelling, "") }
    guard let value = value ?? rest.popFirst(), !option.isValueOptional || !value.isEmpty else {
      throw .missingValue(option: spelling, value: word)
    }
    try set(option, spelling, value)
  }

  private mutating func set(_ option: OptionSpecification, _ spelling: String, _ value: String) throws(UsageError) {
    do {
      try option.apply(&settings, value)
    } catch {
      let nearest = NearestName.of(value, among: error.words)
      throw .invalidValue(
        option: spelling, value: option.shown(value), takes: error.takes, nearest: nearest)
    }
  }

  private func finish() throws(UsageError) -> Invocation {
    guard let command = command ?? (settings.wantsHelp ? .help : settings.wantsVersion ? .version : nil) else {
      throw .noCommand
    }
    if settings.wantsHelp, self.command != nil, command != .help || arguments.isEmpty {
      return Invocation(command: .help, arguments: [command.rawValue], settings: settings)
    }
    // As everywhere, it keeps a command from being carried out.
    if settings.wantsVersion { return Invocation(command: .version, arguments: [], settings: settings) }
    for (option, spelling) in used where !option.commands.contains(command) {
      let owners = CommandWord.allCases.filter { option.commands.contains($0) }.map(\.rawValue)
      throw .foreignOption(spelling, command: command.rawValue, belongsTo: owners)
    }
    if !command.formats.contains(settings.format) {
      throw .invalidValue(option: "--format", value: "ndjson", takes: "text or json", nearest: nil)
    }
    let arguments = command == .help ? Self.withoutAction(arguments) : arguments
    try check(arguments[...], command.arguments, of: command.rawValue)
    if arguments.count(where: { $0 == "-" }) > 1 { throw .standardInputTwice }
    return Invocation(command: command, arguments: arguments, settings: settings)
  }

  /// `state rebuild` is explained on the page of `state`.
  private static func withoutAction(_ words: [String]) -> [String] {
    guard words.count == 2, case .actions(let actions)? = CommandWord(rawValue: words[0])?.arguments,
      actions.contains(where: { $0.word == words[1] })
    else { return words }
    return [words[0]]
  }

  private func check(
    _ arguments: ArraySlice<String>, _ taken: CommandWord.Arguments, of command: String
  ) throws(UsageError) {
    switch taken {
    case .some where arguments.isEmpty, .first where arguments.isEmpty:
      throw .missingArgument(command: command, argument: taken.synopsis)
    case .exactly(let names) where arguments.count < names.count:
      throw .missingArgument(command: command, argument: taken.synopsis)
    case .exactly(let names) where arguments.count > names.count:
      throw .extraArgument(command: command, argument: arguments[arguments.startIndex + names.count])
    case .none where !arguments.isEmpty: throw .extraArgument(command: command, argument: arguments.first!)
    case .one where arguments.count > 1: throw .extraArgument(command: command, argument: arguments.last!)
    case .actions(let actions):
      guard let word = arguments.first else { throw .missingArgument(command: command, argument: taken.synopsis) }
      guard let action = actions.first(where: { $0.word == word }) else {
        throw .unknownAction(word, command: command, actions: actions.map(\.word))
      }
      try check(arguments.dropFirst(), action.arguments, of: "\(command) \(word)")
    default: break
    }
  }
}
