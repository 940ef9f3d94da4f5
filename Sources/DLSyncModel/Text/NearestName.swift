/// Finds what somebody probably meant to write.
package enum NearestName {
  /// The candidate that is the fewest edits away, if they are few for the length of the word; the first of equals.
  package static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
    // Who types half a kilobyte did not mistype a name.
    guard !word.isEmpty, word.utf8.count <= 64 else { return nil }
    return best(word, candidates) { _ in max(1, word.utf8.count / 3) }
  }

  /// The same for keys and names of a manifest: of long ones no more than three edits are a slip, and the longer of the two
  /// words counts.
  package static func slip(_ word: String, among candidates: some Sequence<String>) -> String? {
    guard !word.isEmpty, word.utf8.count <= 64 else { return nil }
    return best(word, candidates.lazy.filter { $0.utf8.count <= 64 }) { candidate in
      min(3, max(1, (max(word.utf8.count, candidate.utf8.count) + 1) / 3))
    }
  }

  private static func best(
    _ word: String, _ candidates: some Sequence<String>, limit: (String) -> Int
  ) -> String? {
    let typed = Array(word.lowercased().utf8)
    var best: (name: String, edits: Int)?
    for candidate in candidates {
      let edits = distance(typed, Array(candidate.lowercased().utf8))
      if edits <= limit(candidate), edits < best?.edits ?? .max { best = (candidate, edits) }
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
