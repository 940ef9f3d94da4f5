import DLSyncModel

extension UsageError {
  /// A word in the place of a command that is none.
  static func notACommand(_ word: String) -> UsageError {
    let words = CommandWord.allCases.map(\.rawValue)
    return .unknownCommand(word, Nearest(to: word, words))
  }

  /// A long option that no command has, without its dashes. Those of the command that it was written for come first.
  static func notAnOption(_ name: String, of command: CommandWord?) -> UsageError {
    let own = options(of: command).map(\.name)
    let meant = NearestName.of(name, among: own) ?? NearestName.of(name, among: OptionTable.all.map(\.name))
    let nearest = meant ?? Nearest(to: name, own).word
    return .unknownOption("--" + name, Nearest(word: "--" + nearest, isMeant: meant != nil))
  }

  /// A letter that no option has: the same letter in the other case, a long option that begins with it, or any letter.
  static func notALetter(_ letter: Character, of command: CommandWord?) -> UsageError {
    let own = options(of: command)
    let low = letter.lowercased()
    var nearest = "--help"
    if let other = own.compactMap(\.letter).first(where: { $0.lowercased() == low }) {
      nearest = "-\(other)"
    } else if let long = own.first(where: { $0.name.hasPrefix(low) }) {
      nearest = "--" + long.name
    } else if let any = own.compactMap(\.letter).first {
      nearest = "-\(any)"
    }
    return .unknownOption("-\(letter)", Nearest(word: nearest, isMeant: false))
  }

  private static func options(of command: CommandWord?) -> [OptionSpecification] {
    guard let command else { return OptionTable.all }
    return OptionTable.all.filter { $0.commands.contains(command) }
  }
}

extension UsageError.Nearest {
  /// There is at least one candidate.
  fileprivate init(to word: String, _ candidates: [String]) {
    let meant = NearestName.of(word, among: candidates)
    self.init(
      word: meant ?? NearestName.closest(to: word, among: candidates) ?? "help", isMeant: meant != nil)
  }
}
