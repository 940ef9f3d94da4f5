import DLSyncModel

/// One URL a line; empty lines and those that begin with `#` do not count.
enum URLList {
  static func read(_ text: String, into reading: inout ListReading) throws(DLSyncError) {
    for (number, line) in ListReading.lines(text) {
      guard let url = url(of: Array(line.utf8)[...]) else { continue }
      try reading.add(ListedFile(urls: [String(decoding: url, as: UTF8.self)], line: number))
    }
  }

  /// The URL of a line, without the blanks around it; nil for a line that does not count.
  static func url(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var text = line
    while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text.isEmpty || text.first == UInt8(ascii: "#") ? nil : text
  }

  static func write(_ files: [ListedFile]) -> String { files.map { $0.urls[0] + "\n" }.joined() }
}

/// Lists of checksums: GNU and BSD style. The names are the files and, against a base, their URLs.
enum SumsList {
  static func read(_ text: String, into reading: inout ListReading) throws(DLSyncError) {
    var armor = SumsArmor()
    var sums = SumsTable()
    for (number, text) in ListReading.lines(text) {
      guard let line = armor.strip(Array(text.utf8)[...]), line.contains(where: { $0 > 0x20 }) else { continue }
      guard let sum = SumsLine(line) else {
        if line.first(where: { $0 > 0x20 }) != UInt8(ascii: "#") {
          reading.losses.add("a line that is no checksum", line: number)
        }
        continue
      }
      guard let name = sum.name else {
        reading.losses.add("a digest without a name", line: number)
        continue
      }
      guard let digest = sum.digest else { continue }
      guard sums.add(name, digest, line: number) else {
        throw reading.error(number, "\(Quote.text(name)) has another \(digest.algorithm.name) digest further up")
      }
    }
    try sums.forEach { (name, digests, line) throws(DLSyncError) in
      // The list is of somebody else's machine: where a file was there says nothing of this one.
      guard !name.isAbsolutePath else { throw reading.notBelow(name, line) }
      try reading.add(
        ListedFile(
          urls: [reference(name)], destination: name, checksums: digests.map(\.description), line: line))
    }
  }

  /// A name as a reference (RFC 3986, section 4.2): nor may it begin a scheme.
  private static func reference(_ name: String) -> String {
    SumsLine.reference(name).replacingBytewise(":", with: "%3A")
  }

  /// The style of sha256sum; other algorithms in that of BSD, which names them.
  static func write(_ files: [ListedFile]) -> String {
    var text = ""
    for file in files {
      let digests = file.checksums.compactMap { try? DigestText.parse($0) }
      guard let digest = digests.first(where: { $0.algorithm == .sha256 }) ?? digests.first else { continue }
      let name = file.destination ?? ""
      let isSpecial = name.utf8.contains { $0 == 0x0a || $0 == 0x0d || $0 == UInt8(ascii: "\\") }
      let escaped =
        isSpecial
        ? [("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r")].reduce(name) { $0.replacingBytewise($1.0, with: $1.1) } : name
      if digest.algorithm == .sha256 {
        text += "\(isSpecial ? "\\" : "")\(digest.hex)  \(escaped)\n"
      } else {
        text += "\(isSpecial ? "\\" : "")\(tag(digest.algorithm)) (\(escaped)) = \(digest.hex)\n"
      }
    }
    return text
  }

  private static func tag(_ algorithm: DigestAlgorithm) -> String {
    algorithm == .blake2b512 ? "BLAKE2b" : algorithm.name.uppercased()
  }
}
