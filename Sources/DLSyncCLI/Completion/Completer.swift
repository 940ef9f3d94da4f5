import DLSyncModel

/// Finds what may stand at the end of a command line, by the tables that also parse it. Pure: what is recorded comes as a
/// value, and so does what manifests declare.
struct Completer {
  /// What is recorded in the state, as far as a shell shows it.
  var tasks: [TaskSnapshot] = []
  var queues: [String] = []
  /// What manifests name.
  var tags: [String] = []

  /// One thing that may stand there.
  struct Candidate: Hashable {
    let text: String
    /// What it is, for shells that show that.
    var explanation = ""
  }

  /// What may stand there.
  struct Answer: Hashable {
    var candidates: [Candidate] = []
    /// Names of files, which the shell knows best itself.
    var paths: Paths?
  }

  enum Paths: String { case files, folders, manifests }

  /// What a place takes, before the beginning that is typed already counts.
  private enum Place {
    case command, options(CommandWord?)
    case value(OptionSpecification, of: CommandWord?)
    case argument(CommandWord, words: [String])
  }

  /// - Parameter words: what stands behind the program's name; the last is the one to be completed, perhaps empty.
  func complete(_ words: [String]) -> Answer {
    guard let current = words.last else { return Answer() }
    var reader = PlaceReader()
    for (word, next) in zip(words, words.dropFirst()) { reader.take(word, before: next) }
    // `--name=` is a word of its own kind in some shells, and three words in others.
    if current == "=", reader.pending != nil { return matching("", place: reader.place(of: "")) }
    if !reader.isBehindOptions, current.hasPrefix("--"), let equals = current.firstIndex(of: "=") {
      let head = current[...equals]
      guard let option = OptionTable.all.first(where: { $0.spelling == head.dropLast() && $0.value != nil }) else {
        return Answer()
      }
      var answer = matching(String(current[current.index(after: equals)...]), place: .value(option, of: reader.command))
      answer.candidates = answer.candidates.map { Candidate(text: head + $0.text, explanation: $0.explanation) }
      return answer
    }
    return matching(current, place: reader.place(of: current))
  }

  /// The manifests that the line names so far, where the last word is to be something that manifests declare, else nil.
  func manifests(behind words: [String]) -> [String]? {
    guard let current = words.last else { return nil }
    var reader = PlaceReader()
    for (word, next) in zip(words, words.dropFirst()) { reader.take(word, before: next) }
    let declared = ["tag", "queue"]
    let isDeclared =
      reader.pending.map { declared.contains($0.name) } ?? declared.contains { current.hasPrefix("--\($0)=") }
    return isDeclared ? reader.arguments : nil
  }

  private func matching(_ beginning: String, place: Place) -> Answer {
    var answer = self.answer(for: place)
    answer.candidates.removeAll { candidate in
      // What would be more than one line, or steer the terminal, cannot be offered.
      !candidate.text.hasPrefix(beginning) || candidate.text.isEmpty
        || candidate.text != TerminalText.escaped(candidate.text)
    }
    return answer
  }

  private func answer(for place: Place) -> Answer {
    switch place {
    case .command: Answer(candidates: Self.commands)
    case .options(let command): Answer(candidates: Self.options(of: command))
    case .value(let option, let command): values(of: option, command)
    case .argument(let command, let words): argument(command.arguments, words[...])
    }
  }

  private static var commands: [Candidate] {
    CommandWord.allCases.map { Candidate(text: $0.rawValue, explanation: $0.summary) }
  }

  private static func options(of command: CommandWord?) -> [Candidate] {
    OptionTable.all.filter { option in command.map { option.isListed(for: $0) } ?? true }
      .map { Candidate(text: $0.spelling, explanation: $0.summary) }
  }

  private func values(of option: OptionSpecification, _ command: CommandWord?) -> Answer {
    let words = option.name == "format" ? command?.formats.map(\.rawValue) ?? option.words : option.words
    if !words.isEmpty { return Answer(candidates: words.map { Candidate(text: $0) }) }
    switch (option.name, option.value) {
    case ("queue", _): return Answer(candidates: queues.map { Candidate(text: $0, explanation: "queue") })
    case ("tag", _): return Answer(candidates: tags.map { Candidate(text: $0, explanation: "tag") })
    case ("only", _), ("explain", _): return Answer(candidates: destinations)
    case ("manifest", _): return Answer(paths: .manifests)
    case (_, "DIR"): return Answer(paths: .folders)
    case (_, "FILE"), ("output", _): return Answer(paths: .files)
    default: return Answer()
    }
  }

  private func argument(_ arguments: CommandWord.Arguments, _ before: ArraySlice<String>) -> Answer {
    switch arguments {
    case .none: return Answer()
    case .some(let name), .any(let name): return named(name)
    case .one(let name): return before.isEmpty ? named(name) : Answer()
    case .first(let name, let rest): return named(before.isEmpty ? name : rest)
    case .exactly(let names):
      return before.count < names.count ? named(names[before.count]) : Answer()
    case .actions(let actions):
      guard let word = before.first else {
        return Answer(candidates: actions.map { Candidate(text: $0.word, explanation: $0.arguments.synopsis) })
      }
      guard let action = actions.first(where: { $0.word == word }) else { return Answer() }
      return argument(action.arguments, before.dropFirst())
    }
  }

  /// What an argument's word in the usage line stands for.
  private func named(_ name: String) -> Answer {
    switch name {
    case "MANIFEST": Answer(paths: .manifests)
    case "FILE": Answer(paths: .files)
    case "COMMAND": Answer(candidates: Self.commands)
    case "SELECTOR": Answer(candidates: destinations + shortNames)
    case "FORMAT": Answer(candidates: ListFormat.allCases.map { Candidate(text: $0.rawValue) })
    default: Answer()
    }
  }

  private var destinations: [Candidate] {
    tasks.map { Candidate(text: $0.destination, explanation: $0.state.rawValue) }
  }

  private var shortNames: [Candidate] {
    tasks.map { Candidate(text: $0.id.description, explanation: "\($0.state.rawValue) \($0.destination)") }
  }

  /// Reads the words before the one that is completed, as far as they say what that one is.
  private struct PlaceReader {
    var command: CommandWord?
    var arguments: [String] = []
    /// The option whose value comes next.
    var pending: OptionSpecification?
    var isBehindOptions = false

    mutating func take(_ word: String, before next: String) {
      if pending != nil {
        if word != "=" { pending = nil }
      } else if !isBehindOptions, word == "--" {
        isBehindOptions = true
      } else if !isBehindOptions, word.hasPrefix("-"), word != "-" {
        takeOption(word, before: next)
      } else if command == nil {
        command = CommandWord(rawValue: word)
      } else {
        arguments.append(word)
      }
    }

    private mutating func takeOption(_ word: String, before next: String) {
      guard !word.contains("=") else { return }
      let option = OptionTable.all.first { option in
        word.hasPrefix("--") ? option.spelling == word : option.letter == word.last
      }
      if let option, option.value != nil, !option.isValueOptional || next == "=" { pending = option }
    }

    func place(of current: String) -> Place {
      if let pending { return .value(pending, of: command) }
      if !isBehindOptions, current.hasPrefix("-") { return .options(command) }
      guard let command else { return .command }
      return .argument(command, words: arguments)
    }
  }
}

extension OptionSpecification {
  /// The words that the option takes, where it takes certain ones only.
  var words: [String] {
    guard value != nil else { return [] }
    var settings = Settings()
    do throws(Refusal) {
      // No option takes a control character; the refusal knows what it takes instead.
      try apply(&settings, "\u{0}")
      return []
    } catch {
      return error.words
    }
  }
}
