import DLSyncModel
import Glibc

extension UsageError {
  /// A word in the place of a command that is none. Who names a file there has left the command away.
  static func notACommand(_ word: String) -> UsageError {
    let nearest = NearestName.of(word, among: CommandWord.allCases.map(\.rawValue))
    return .unknownCommand(word, nearest: nearest ?? (isManifest(word) ? "dlsync apply \(word)" : nil))
  }

  /// A long option that no command has, without its dashes. Those of the command that it was written for come first.
  static func notAnOption(_ name: String, of command: CommandWord?) -> UsageError {
    let own = options(of: command).map(\.name)
    let nearest = NearestName.of(name, among: own) ?? NearestName.of(name, among: OptionTable.all.map(\.name))
    return .unknownOption("--" + name, nearest: nearest.map { "--" + $0 })
  }

  /// A letter that no option has: the same letter in the other case, or a long option that begins with it.
  static func notALetter(_ letter: Character, of command: CommandWord?) -> UsageError {
    let own = options(of: command)
    let low = letter.lowercased()
    let other = own.compactMap(\.letter).first { $0.lowercased() == low }.map { "-\($0)" }
    return .unknownOption("-\(letter)", nearest: other ?? own.first { $0.name.hasPrefix(low) }.map { "--" + $0.name })
  }

  private static func options(of command: CommandWord?) -> [OptionSpecification] {
    guard let command else { return OptionTable.all }
    return OptionTable.all.filter { $0.commands.contains(command) }
  }

  private static func isManifest(_ word: String) -> Bool {
    (word.hasSuffix(".yaml") || word.hasSuffix(".yml")) && access(word, R_OK) == 0
  }
}
