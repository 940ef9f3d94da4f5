import DLSyncSystem
@preconcurrency import Glibc

/// What this process was started with. Read before any other thread could change it.
///
/// A name that is no UTF-8 must not become another name: what is none is never repaired.
public struct ProcessEnvironment: Sendable {
  /// What stands behind the program's name, repaired where it is no UTF-8; `unreadable` tells then.
  public private(set) var arguments: [String] = []
  /// The variables, without those that are no UTF-8.
  public private(set) var variables: [String: String] = [:]
  /// What is no UTF-8 and counts: arguments, and variables that say where things are.
  public private(set) var unreadable: [String] = []

  /// That of this process.
  public init() {
    for (index, argument) in CommandLineWords.all.enumerated().dropFirst() {
      arguments.append(String(cString: argument))
      if String(validatingCString: argument) == nil { unreadable.append("argument \(index)") }
    }
    var entry = environ
    while let text = entry.pointee {
      take(text)
      entry += 1
    }
  }

  private mutating func take(_ text: UnsafePointer<CChar>) {
    let isText = String(validatingCString: text) != nil
    guard let (name, value) = String(cString: text).split(atFirst: "=") else { return }
    if isText {
      // The first of two counts, as `getenv` has it.
      if variables[name] == nil { variables[name] = value }
    } else if Self.saysWhere(name) {
      unreadable.append("the environment variable \"\(name)\"")
    }
  }

  /// Whether another variable, or none, would lead elsewhere without a word. Without `HOME` there is one.
  private static func saysWhere(_ name: String) -> Bool {
    name.hasPrefix("DLSYNC_") || name == "XDG_STATE_HOME" || name.lowercased().hasSuffix("_proxy")
  }
}
