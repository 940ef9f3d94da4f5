/// Takes the frame of a signed text away, line by line (RFC 9580, section 7): its head, what follows the text, and the
/// dashes that shield lines. The signature itself is not checked: that the list came over a trusted way is its user's
/// care, and `dlsync` knows no keys.
struct SumsArmor {
  private enum Part { case outside, head, text, signature }

  private var part = Part.outside

  /// The line as it counts, nil for one that belongs to the frame.
  mutating func strip(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    switch part {
    case .outside:
      guard Self.begins(line, "-----BEGIN PGP SIGNED MESSAGE-----") else { return line }
      part = .head
      return nil
    case .head:
      if line.allSatisfy({ $0 <= 0x20 }) { part = .text }
      return nil
    case .text:
      if Self.begins(line, "-----BEGIN PGP SIGNATURE-----") {
        part = .signature
        return nil
      }
      return Self.begins(line, "- ") ? line.dropFirst(2) : line
    case .signature:
      if Self.begins(line, "-----END PGP SIGNATURE-----") { part = .outside }
      return nil
    }
  }

  private static func begins(_ line: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
    line.count >= text.utf8CodeUnitCount
      && text.withUTF8Buffer { line.prefix($0.count).elementsEqual($0) }
  }
}
