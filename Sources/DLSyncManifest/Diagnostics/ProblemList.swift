/// The errors of one reading, each with its place. The quoted lines come at the very end, when it is known which are needed.
final class ProblemList {
  struct Problem {
    let place: TextPosition
    let path: String
    let message: String
    let hint: String?
    /// False when the error is only certain once the whole document was read.
    let isCertain: Bool
  }

  private struct Identity: Hashable {
    let place: TextPosition
    let message: String
  }

  /// Beyond this many an error is counted, not kept.
  static let greatestCount = 1000

  private(set) var problems: [Problem] = []
  private(set) var uncounted = 0
  private var seen: Set<Identity> = []

  /// Whether further errors are only counted.
  var isFull: Bool { problems.count >= Self.greatestCount }

  var isEmpty: Bool { problems.isEmpty }

  /// How many errors there are, uncounted ones included.
  var count: Int { problems.count + uncounted }

  /// Adds an error, unless the same was said of the same place: a part that aliases share is decoded at each of them.
  func report(_ place: TextPosition, path: String, _ message: String, hint: String? = nil, isCertain: Bool = true) {
    if isFull {
      uncounted += 1
      return
    }
    guard seen.insert(Identity(place: place, message: message)).inserted else { return }
    problems.append(Problem(place: place, path: path, message: message, hint: hint, isCertain: isCertain))
  }

  /// Takes another list's errors over.
  func append(_ other: ProblemList) {
    for problem in other.problems {
      report(problem.place, path: problem.path, problem.message, hint: problem.hint, isCertain: problem.isCertain)
    }
    uncounted += other.uncounted
  }

  /// The errors of one place of the manifest alone.
  func only(path: String) -> ProblemList {
    let list = ProblemList()
    for problem in problems where problem.path == path {
      list.report(problem.place, path: path, problem.message, hint: problem.hint)
    }
    return list
  }

  /// Drops what the unread rest of the document might have settled.
  func dropUncertain() { problems.removeAll { !$0.isCertain } }
}
