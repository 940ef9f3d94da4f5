import DLSyncModel

/// Which bytes of a file are there: everything before the frontier, and islands beyond it.
struct WrittenRanges {
  /// The length of the prefix without a hole.
  private(set) var frontier: Int64 = 0
  /// Ascending, neither touching one another nor the frontier. As many as there are connections, at most.
  private(set) var islands: [ByteRange] = []

  /// The offset behind the last byte that is there.
  var end: Int64 { islands.last?.upper ?? frontier }

  mutating func insert(_ range: ByteRange) {
    guard !range.isEmpty, range.upper > frontier else { return }
    if range.lower <= frontier, islands.isEmpty {
      frontier = range.upper
      return
    }
    var lower = range.lower
    var upper = range.upper
    let first = islands.firstIndex { $0.upper >= lower } ?? islands.endIndex
    var last = first
    while last < islands.endIndex, islands[last].lower <= upper {
      lower = min(lower, islands[last].lower)
      upper = max(upper, islands[last].upper)
      last += 1
    }
    if lower <= frontier {
      frontier = upper
      islands.removeSubrange(..<last)
    } else {
      islands.replaceSubrange(first..<last, with: CollectionOfOne(ByteRange(lower, upper)))
    }
  }
}

extension WrittenRanges {
  /// Forgets what lies beyond.
  mutating func cut(to length: Int64) {
    frontier = min(frontier, length)
    islands = islands.compactMap { $0.lower < length ? ByteRange($0.lower, min($0.upper, length)) : nil }
  }
}
