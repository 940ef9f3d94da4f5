@preconcurrency import Glibc

extension [String: String] {
  /// The variables that this process was started with. Read before any other thread could change them.
  public static var ofProcess: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // The first of two counts, as `getenv` has it.
      if parts.count == 2, variables[String(parts[0])] == nil { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }
}
