package import DLSyncModel

/// A checksum as a command line has it, in the spellings of a manifest.
package enum ChecksumText {
  /// The digest; nil when the text is none.
  package static func parse(_ text: String) -> Digest? { try? DigestText.parse(text) }
}
