package import DLSyncModel

/// A list of checksums that somebody publishes beside the files, ready to be asked: GNU, BSD and bare styles, text and
/// binary marks, any line ends, a byte order mark, comments, a signed frame. Lines that are none of these count for
/// nothing.
package struct PublishedList: Sendable {
  /// Why a list has no digest for a name.
  package enum Problem: Error, Equatable, Sendable {
    /// The list does not name it, or not with that algorithm.
    case missing
    /// It has several, and they differ.
    case ambiguous
  }

  private struct Line {
    let path: String
    let algorithm: DigestAlgorithm?
    let bytes: [UInt8]
  }

  private var lines: [Line] = []
  /// Digests without a name.
  private var bare: [Line] = []
  /// The lines of each last path component.
  private var numbers: [BytewiseText: [Int32]] = [:]

  /// Reads a list.
  package init(_ text: [UInt8]) {
    var rest = text[...]
    if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
    var armor = SumsArmor()
    while !rest.isEmpty {
      let end = rest.firstIndex { $0 == 0x0a || $0 == 0x0d } ?? rest.endIndex
      if let line = armor.strip(rest[rest.startIndex..<end]).flatMap({ SumsLine($0) }) { add(line) }
      rest = rest[min(end + 1, rest.endIndex)...]
    }
  }

  /// Whether nothing in the text was a checksum.
  package var isEmpty: Bool { lines.isEmpty && bare.isEmpty }

  /// The digest of a name, with this algorithm, or with the strongest that the list has for it. A name counts with
  /// whatever folders the list puts before it; where it stands there exactly as asked, only that counts.
  package func digest(of name: String, algorithm: DigestAlgorithm?) -> Result<Digest, Problem> {
    let name = Self.withoutDot(name)
    let named = (numbers[BytewiseText(Self.lastComponent(name))] ?? []).map { lines[Int($0)] }
    let exact = named.filter { $0.path.hasSameBytes(as: name) }
    let below = named.filter { $0.path.endsBytewise(with: "/" + name) }
    for candidates in [exact, below, lines.isEmpty ? bare : []] {
      let digests = Self.digests(candidates, algorithm)
      if digests.count == 1 { return .success(digests.first!) }
      if digests.count > 1 { return .failure(.ambiguous) }
    }
    return .failure(.missing)
  }

  private mutating func add(_ line: SumsLine) {
    guard let name = line.name else {
      bare.append(Line(path: "", algorithm: line.algorithm, bytes: line.bytes))
      return
    }
    let path = Self.withoutDot(name)
    numbers[BytewiseText(Self.lastComponent(path)), default: []].append(Int32(lines.count))
    lines.append(Line(path: path, algorithm: line.algorithm, bytes: line.bytes))
  }

  /// The different digests of some lines that an algorithm gives; without one the strongest that gives any.
  private static func digests(_ lines: [Line], _ algorithm: DigestAlgorithm?) -> Set<Digest> {
    for algorithm in algorithm.map({ [$0] }) ?? strongestFirst {
      let digests = lines.compactMap { line in
        line.algorithm == nil || line.algorithm == algorithm ? Digest(algorithm, bytes: line.bytes) : nil
      }
      if !digests.isEmpty { return Set(digests) }
    }
    return []
  }

  private static let strongestFirst: [DigestAlgorithm] = [
    .sha512, .blake2b512, .sha384, .sha256, .sha224, .sha1, .md5,
  ]

  private static func withoutDot(_ path: String) -> String {
    var path = path.utf8[...]
    while path.starts(with: "./".utf8) { path = path.dropFirst(2) }
    return String(Substring(path))
  }

  private static func lastComponent(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}
