import DLSyncModel

/// What a list of checksums says of each name, in the order in which the names first come up. Lists give several digests of
/// one file, beside one another or algorithm by algorithm; so nothing can be said of a file before the list has ended.
/// Names and digests lie in one piece of memory, because such lists are long.
struct SumsTable {
  private struct Item {
    let start: Int
    let nameLength: Int32
    let line: Int32
  }

  /// Of each item the name, then its first digest as `PackedDigests` has it.
  private var bytes: [UInt8] = []
  private var items: [Item] = []
  /// Further digests of few or many items.
  private var further: [Int32: [Digest]] = [:]
  /// Items by the hash of their names, or by the next number that was free.
  private var places: [Int: Int32] = [:]

  /// Takes what a line says. False where the name has another digest of that algorithm already.
  mutating func add(_ name: String, _ digest: Digest, line: Int) -> Bool {
    // The same file, whoever wrote the list.
    var rest = name.utf8[...]
    while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
    let name = Substring(rest)
    var hash = Self.hash(name)
    while let place = places[hash] {
      if has(Int(place), name) { return addFurther(digest, to: place) }
      hash &+= 1
    }
    places[hash] = Int32(items.count)
    items.append(Item(start: bytes.count, nameLength: Int32(name.utf8.count), line: Int32(clamping: line)))
    bytes += name.utf8
    bytes.append(digest.algorithm.rawValue)
    bytes += digest.bytes
    return true
  }

  /// Hands each name on, with its digests and the line on which it first came up.
  func forEach<Failure: Error>(
    _ body: (_ name: String, _ digests: [Digest], _ line: Int) throws(Failure) -> Void
  ) throws(Failure) {
    for (place, item) in items.enumerated() {
      let name = String(decoding: bytes[item.start..<item.start + Int(item.nameLength)], as: UTF8.self)
      try body(name, digests(place), Int(item.line))
    }
  }

  private static func hash(_ name: Substring) -> Int {
    var hasher = Hasher()
    var name = name
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }

  private func has(_ place: Int, _ name: Substring) -> Bool {
    let item = items[place]
    return bytes[item.start..<item.start + Int(item.nameLength)].elementsEqual(name.utf8)
  }

  private mutating func addFurther(_ digest: Digest, to place: Int32) -> Bool {
    if let known = digests(Int(place)).first(where: { $0.algorithm == digest.algorithm }) { return known == digest }
    further[place, default: []].append(digest)
    return true
  }

  private func digests(_ place: Int) -> [Digest] {
    let start = items[place].start + Int(items[place].nameLength)
    guard let algorithm = DigestAlgorithm(rawValue: bytes[start]),
      let first = Digest(algorithm, bytes: Array(bytes[start + 1..<start + 1 + algorithm.length]))
    else { return [] }
    return [first] + (further[Int32(place)] ?? [])
  }
}
