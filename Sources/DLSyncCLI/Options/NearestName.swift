/// Finds what somebody probably meant to type.
enum NearestName {
  /// The candidate that is the fewest edits away, if they are few for the length of the word; the first of equals.
  static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
    // Who types half a kilobyte did not mistype a name.
    guard !word.isEmpty, word.utf8.count <= 64 else { return nil }
    return best(word, candidates, limit: max(1, word.utf8.count / 3))
  }

  /// The candidate that is the fewest edits away, however many they are; nil where there is none.
  static func closest(to word: String, among candidates: some Sequence<String>) -> String? {
    best(String(word.prefix(64)), candidates, limit: .max)
  }

  private static func best(_ word: String, _ candidates: some Sequence<String>, limit: Int) -> String? {
    let typed = Array(word.lowercased().utf8)
    var best: (name: String, edits: Int)?
    for candidate in candidates {
      let edits = distance(typed, Array(candidate.lowercased().utf8))
      if edits <= limit, edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.name
  }

  /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before: [Int] = []
    var previous = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var row = [i + 1]
      for (j, b) in right.enumerated() {
        var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a == b ? 0 : 1))
        if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      (before, previous) = (previous, row)
    }
    return previous[right.count]
  }
}
