import DLSyncModel

/// What is wrong with a command line: the user's own text first, words in one place below.
enum UsageError: Error, Hashable {
  case noCommand
  case unknownCommand(String, nearest: String?)
  case unknownOption(String, nearest: String?)
  /// The option exists, for other commands.
  case foreignOption(String, command: String, belongsTo: [String])
  case missingValue(option: String, value: String)
  case needlessValue(option: String)
  case invalidValue(option: String, value: String, takes: String, nearest: String?)
  case missingArgument(command: String, argument: String)
  /// The command needs a word that says what to do, and this is none of them.
  case unknownAction(String, command: String, actions: [String])
  case extraArgument(command: String, argument: String)
  case unknownQueue(String, nearest: String?)
  case standardInputTwice
  /// An argument or a variable of the environment, in words.
  case notUTF8(String)

  /// The error as every command reports one.
  var asError: DLSyncError { DLSyncError(.usage, message, hint: hint) }

  /// One line.
  var message: String {
    switch self {
    case .noCommand: "no command is given"
    case .unknownCommand(let word, let nearest):
      "unknown command \"\(Redaction.url(word))\""
        + Self.suggestion(nearest, list: "\"dlsync help\" lists the commands")
    case .unknownOption(let word, let nearest):
      "unknown option \"\(word)\"" + Self.suggestion(nearest, list: "\"dlsync help COMMAND\" lists the options")
    case .foreignOption(let word, let command, let owners):
      "\"\(command)\" has no option \"\(word)\"; it belongs to \(Self.list(owners.map { "\"\($0)\"" }, "and"))"
    case .missingValue(let option, let value): "the option \"\(option)\" needs a value: \(option) \(value)"
    case .needlessValue(let option): "the option \"\(option)\" takes no value"
    case .invalidValue(let option, let value, let takes, let nearest):
      "the option \"\(option)\" cannot be \"\(value)\"; it takes \(takes)" + Self.suggestion(nearest)
    case .missingArgument(let command, let argument): "\"\(command)\" needs an argument: dlsync \(command) \(argument)"
    case .unknownAction(let word, let command, let actions):
      "\"\(command)\" does not know \"\(word)\"; it takes \(Self.list(actions, "or"))"
        + Self.suggestion(NearestName.of(word, among: actions))
    case .extraArgument(let command, let argument): "\"\(command)\" takes no argument \"\(Redaction.url(argument))\""
    case .unknownQueue(let name, let nearest): "no queue is named \"\(name)\"" + Self.suggestion(nearest)
    case .notUTF8(let what): "\(what) is not UTF-8"
    case .standardInputTwice: "standard input (\"-\") can be read only once"
    }
  }

  /// What to do now.
  var hint: String? {
    switch self {
    case .noCommand: "\"dlsync help\" lists the commands"
    default: nil
    }
  }

  static func list(_ words: [String], _ conjunction: String) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// Where nothing is near, a guess would lead astray.
  private static func suggestion(_ nearest: String?, list: String) -> String {
    nearest == nil ? "; " + list : suggestion(nearest)
  }
}
