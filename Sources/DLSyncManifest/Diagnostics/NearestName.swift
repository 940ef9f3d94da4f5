/// Finds what somebody probably meant.
enum NearestName {
  /// The candidate that takes the fewest single-character changes, where that is few enough to be a slip. Case counts for
  /// nothing; of equals the first wins.
  static func find(_ text: String, among candidates: some Sequence<String>) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let wanted = Array(text.lowercased())
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate.utf8.count <= 64 {
      let other = Array(candidate.lowercased())
      let limit = min(3, max(1, (max(wanted.count, other.count) + 1) / 3))
      let distance = distance(wanted, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let change = left[row] == right[column] ? 0 : 1
        var least = min(last[column] + change, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
