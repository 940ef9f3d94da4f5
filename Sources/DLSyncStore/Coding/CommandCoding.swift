import DLSyncModel

/// Commands on their way to another process, as key=value lines.
enum CommandCoding {
  static func encode(_ command: TaskCommand) -> String {
    var pairs = [(key: "verb", value: command.verb)]
    switch command {
    case .pause, .resume, .cancel, .restart: break
    case .remove(let deletesFile): pairs.append(("deletesFile", deletesFile ? "true" : "false"))
    case .priority(let value): pairs.append(("value", "\(value)"))
    case .reorder(let rank): pairs.append(("rank", "\(rank)"))
    case .headers(let fields): pairs.append(("headers", HeaderCoding.encode(fields)))
    }
    return LineCoding.encode(pairs)
  }

  /// Nil for one that this version does not know.
  static func decode(_ text: String) -> TaskCommand? {
    let pairs = Dictionary(LineCoding.decode(text)) { first, _ in first }
    switch pairs["verb"] {
    case "pause": return .pause
    case "resume": return .resume
    case "cancel": return .cancel
    case "restart": return .restart
    case "remove": return .remove(deletesFile: pairs["deletesFile"] == "true")
    case "priority": return pairs["value"].flatMap { Double($0) }.map { .priority($0) }
    case "reorder": return pairs["rank"].flatMap { Int($0) }.map { .reorder(rank: $0) }
    case "headers": return pairs["headers"].map { .headers(HeaderCoding.decode($0)) }
    default: return nil
    }
  }
}
