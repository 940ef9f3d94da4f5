package import DLSyncModel

/// A checksum as a command line has it, in the spellings of a manifest.
package enum ChecksumText {
  /// The digest; nil when the text is none.
  package static func parse(_ text: String) -> Digest? { try? DigestText.parse(text) }

  /// What to write in place of a text that is none, behind "it takes".
  package static func form(for text: String) -> String {
    do throws(DigestText.Problem) {
      _ = try DigestText.parse(text)
    } catch {
      if case .wrongDigits(let algorithm) = error {
        return "\(algorithm.length * 2) hexadecimal digits behind \"\(algorithm.name):\""
      }
    }
    return "ALGORITHM:HEX, such as sha256:2c26…"
  }
}
