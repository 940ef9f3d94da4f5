import DLSyncTestSupport

/// Changes bytes at random: flips, cuts, doubles, and words that mean something to the reader.
struct Mutation {
  private var random: SeededGenerator

  init(_ random: SeededGenerator) { self.random = random }

  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...12, using: &random) { change(&bytes) }
    return Array(bytes.prefix(64 << 10))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
    let length = min(bytes.count - place, Int.random(in: 0...40, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.removeSubrange(place..<place + length)
    case 3: bytes.insert(contentsOf: Array(bytes[place..<place + length]), at: place)
    case 4 where !bytes.isEmpty:
      let other = Int.random(in: 0..<bytes.count, using: &random)
      bytes.insert(contentsOf: Array(bytes[place..<place + length]), at: other)
    case 5: bytes.insert(contentsOf: (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }, at: place)
    case 6:
      bytes.insert(contentsOf: Array(repeating: bytes.isEmpty ? 0x5b : bytes[place], count: length * 4), at: place)
    default: bytes.insert(contentsOf: Self.words.randomElement(using: &random)!.utf8, at: place)
    }
  }

  private static let words = [
    "\n", "\r", "\t", ": ", "- ", "? ", "{", "}", "[", "]", "&a ", "*a", "<<: *a", "|\n", ">+2\n", "!!binary ",
    "%YAML 1.3\n",
    "---\n", "...\n", "\"", "'", "#", "${", "}", "$${", "\u{feff}", "\u{85}", "\u{2028}", "\0", "files:\n", "url: ",
    "matrix: ",
    "checksum: ", "version: 1\n", "-----BEGIN PGP SIGNED MESSAGE-----\n\n", "SHA256 (a) = ", "\\", "\\n", ",", "\"\"",
    "\\u0000",
    "  out=", "header=A: b", "<file name=\"a\">", "</", "<![CDATA[", "&#x41;", "<!ENTITY", "url = \"", "next\n",
  ]
}
