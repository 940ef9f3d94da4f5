import DLSyncModel

/// The variables of a text: `${NAME}`, `${env:NAME}`, `${env:NAME:-default}`; `$${` stands for `${`. What a variable gives
/// is text and is not looked at again.
struct Expansion {
  /// What a name means right now.
  enum Meaning {
    case value(String)
    case unknown
    /// Known, but its own value is wrong and was reported where it stands.
    case broken
  }

  enum Problem: Equatable {
    case unclosed
    /// What stands between the braces is no name.
    case noName(String)
    case unknownVariable(String)
    case unsetEnvironment(String)
    /// `${NAME:-default}`: only the environment has defaults.
    case defaultOfVariable(String)
    case tooLong
  }

  /// How many bytes a text may have once its variables are filled in: more than any URL, path or header that works, and
  /// an end to variables that double one another.
  static let greatestLength = 1 << 20

  let variable: (String) -> Meaning
  let environment: [String: String]

  /// The expanded text, nil when something in it could not be had, with the reasons.
  func expand(_ text: String) -> (text: String?, problems: [Problem]) {
    var out: [UInt8] = []
    var problems: [Problem] = []
    var isWhole = true
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: "$${".utf8) {
        out.append(contentsOf: "${".utf8)
        index += 3
      } else if bytes[index...].starts(with: "${".utf8) {
        guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
          return (nil, problems + [.unclosed])
        }
        switch meaning(of: String(decoding: bytes[(index + 2)..<close], as: UTF8.self)) {
        case .success(let value?):
          guard out.count + value.utf8.count <= Self.greatestLength else { return (nil, problems + [.tooLong]) }
          out.append(contentsOf: value.utf8)
        case .success(nil): isWhole = false
        case .failure(let wrong): problems.append(wrong.problem)
        }
        index = close + 1
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return (isWhole && problems.isEmpty ? String(decoding: out, as: UTF8.self) : nil, problems)
  }

  private struct Wrong: Error { let problem: Problem }

  /// The value of what stands between the braces; nil when it is broken.
  private func meaning(of inner: String) -> Result<String?, Wrong> {
    guard inner.hasPrefix("env:") else { return variableMeaning(inner) }
    let rest = inner.dropFirst(4)
    let name = String(rest.prefix { $0 != ":" })
    let behind = rest.dropFirst(name.count)
    guard Self.isEnvironmentName(name), behind.isEmpty || behind.hasPrefix(":-") else {
      return .failure(Wrong(problem: .noName(inner)))
    }
    // As in a shell, a default also stands in for an empty value.
    if !behind.isEmpty {
      return .success(environment[name].flatMap { $0.isEmpty ? nil : $0 } ?? String(behind.dropFirst(2)))
    }
    guard let value = environment[name] else { return .failure(Wrong(problem: .unsetEnvironment(name))) }
    return .success(value)
  }

  private func variableMeaning(_ name: String) -> Result<String?, Wrong> {
    if let colon = name.firstIndex(of: ":"), name[colon...].hasPrefix(":-"), Self.isName(String(name[..<colon])) {
      return .failure(Wrong(problem: .defaultOfVariable(String(name[..<colon]))))
    }
    guard Self.isName(name) else { return .failure(Wrong(problem: .noName(name))) }
    switch variable(name) {
    case .value(let value): return .success(value)
    case .broken: return .success(nil)
    case .unknown: return .failure(Wrong(problem: .unknownVariable(name)))
    }
  }

  /// Letters, digits, `_`, `-` and `.`.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
          UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: NumberText.isDigit(byte)
        }
      }
  }

  private static func isEnvironmentName(_ text: String) -> Bool {
    isName(text) && !NumberText.isDigit(text.utf8.first!) && !text.utf8.contains { $0 == 0x2d || $0 == 0x2e }
  }
}
