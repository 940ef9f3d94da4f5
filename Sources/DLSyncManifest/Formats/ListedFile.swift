import DLSyncModel

/// One file as the list of another tool has it, before it is known to be right.
struct ListedFile {
  /// The first choice first; all of the same bytes.
  var urls: [String] = []
  /// A relative or absolute path; nil takes the URL's own name.
  var destination: String?
  /// In a spelling of `DigestText`.
  var checksums: [String] = []
  var size: Int64?
  var headers: [HeaderField] = []
  /// Where it begins in the list, counted from 1.
  var line: Int
}

/// What a list said and a manifest cannot say, or the other way round: each thing once, with its number.
struct LossNotes {
  private var counts: [(what: String, count: Int, line: Int?)] = []
  private var numbers: [String: Int] = [:]

  /// Notes that something was left out.
  mutating func add(_ what: String, line: Int? = nil) {
    if let number = numbers[what] {
      counts[number].count += 1
    } else {
      numbers[what] = counts.count
      counts.append((what, 1, line))
    }
  }

  /// Sentences, in the order in which things first came up.
  var sentences: [String] {
    counts.map { what, count, line in
      let times = count == 1 ? "" : " (\(count) times)"
      let place = line.map { count == 1 ? " on line \($0)" : ", first on line \($0)" } ?? ""
      return "left out: \(what)\(count == 1 ? place : times + place)"
    }
  }
}
