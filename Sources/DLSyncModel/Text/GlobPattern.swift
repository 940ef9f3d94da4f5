/// A pattern for destinations and URLs, as shells know it: `*` stands for any text without a slash, `**` for any text,
/// `**/` also for nothing at all, `?` for one character but a slash, `[a-z]` and `[!a-z]` for one of a set, `\` takes the
/// meaning from what follows. Everything else is itself. A pattern matches a whole text, case counts.
public struct GlobPattern: Hashable, Sendable, CustomStringConvertible {
  private enum Token: Hashable {
    case literal(Unicode.Scalar)
    case anyScalar
    case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    /// `*`: any text without a slash.
    case withinComponent
    /// `**`: any text.
    case anything
    /// `**/`: nothing, or any text that ends in a slash.
    case folders
  }

  /// The pattern as written.
  public let description: String
  private let tokens: [Token]
  private let isLiteral: Bool

  /// Every text is a pattern: a bracket that is never closed stands for itself.
  public init(_ text: String) {
    description = text
    tokens = Self.tokens(Array(text.unicodeScalars))
    isLiteral = !text.unicodeScalars.contains { Self.isSign($0) || $0 == "\\" }
  }

  /// Whether it stands for other text than itself.
  package static func isSign(_ scalar: Unicode.Scalar) -> Bool { "*?[".unicodeScalars.contains(scalar) }

  /// Whether the pattern describes the whole text.
  public func matches(_ text: String) -> Bool {
    if isLiteral { return text.utf8.elementsEqual(description.utf8) }
    return matches(text.unicodeScalars)
  }

  /// Two stars at most are ever tried again: the last `*`, which cannot pass a slash, and the last `**`. An earlier star
  /// could only do what the later one of its kind does as well, so the work is bounded by the product of both lengths.
  private func matches(_ text: String.UnicodeScalarView) -> Bool {
    var (at, next) = (text.startIndex, 0)
    var star: (next: Int, at: String.Index)?
    var double: (next: Int, at: String.Index)?
    while true {
      if next < tokens.count, let step = advance(tokens[next], text, at) {
        switch tokens[next] {
        case .withinComponent: star = (next + 1, at)
        case .anything, .folders: (double, star) = ((next + 1, at), nil)
        default: break
        }
        (at, next) = (step, next + 1)
      } else if next == tokens.count, at == text.endIndex {
        return true
      } else if let last = star, last.at < text.endIndex, text[last.at] != "/" {
        (at, next) = (text.index(after: last.at), last.next)
        star = (next, at)
      } else if let last = double, let further = further(tokens[last.next - 1], text, last.at) {
        (at, next, star) = (further, last.next, nil)
        double = (next, at)
      } else {
        return false
      }
    }
  }

  /// Where the text goes on behind the shortest match of one token, or nil when it does not match here.
  private func advance(_ token: Token, _ text: String.UnicodeScalarView, _ at: String.Index) -> String.Index? {
    switch token {
    case .withinComponent, .anything, .folders: return at
    case .literal(let scalar):
      guard at < text.endIndex, text[at] == scalar else { return nil }
    case .anyScalar:
      guard at < text.endIndex, text[at] != "/" else { return nil }
    case .oneOf(let ranges, let isNegated):
      guard at < text.endIndex, text[at] != "/", ranges.contains(where: { $0.contains(text[at]) }) != isNegated else {
        return nil
      }
    }
    return text.index(after: at)
  }

  /// The next longer match of a star that may pass slashes.
  private func further(_ token: Token, _ text: String.UnicodeScalarView, _ at: String.Index) -> String.Index? {
    guard at < text.endIndex else { return nil }
    guard token == .folders else { return text.index(after: at) }
    return text[at...].firstIndex(of: "/").map { text.index(after: $0) }
  }

  private static func tokens(_ text: [Unicode.Scalar]) -> [Token] {
    var found: [Token] = []
    var index = 0
    while index < text.count {
      switch text[index] {
      case "*" where index + 1 < text.count && text[index + 1] == "*":
        let isComponent = index == 0 || text[index - 1] == "/"
        index += 2
        if isComponent, index < text.count, text[index] == "/" {
          index += 1
          found.append(.folders)
        } else {
          found.append(.anything)
        }
        continue
      case "*": found.append(.withinComponent)
      case "?": found.append(.anyScalar)
      case "\\" where index + 1 < text.count:
        index += 1
        found.append(.literal(text[index]))
      case "[":
        if let (set, end) = set(text, index) {
          found.append(set)
          index = end
        } else {
          found.append(.literal("["))
        }
      default: found.append(.literal(text[index]))
      }
      index += 1
    }
    return found
  }

  /// The set that begins at a bracket, and the index of the bracket that closes it. A bracket right behind the first one
  /// belongs to the set, as in shells.
  private static func set(_ text: [Unicode.Scalar], _ start: Int) -> (Token, Int)? {
    var index = start + 1
    let isNegated = index < text.count && (text[index] == "!" || text[index] == "^")
    if isNegated { index += 1 }
    let first = index
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while index < text.count {
      if text[index] == "]", index > first { return (.oneOf(ranges, isNegated: isNegated), index) }
      if index + 2 < text.count, text[index + 1] == "-", text[index + 2] != "]" {
        let (low, high) = (text[index], text[index + 2])
        if low <= high { ranges.append(low...high) }
        index += 3
      } else {
        ranges.append(text[index]...text[index])
        index += 1
      }
    }
    return nil
  }
}
