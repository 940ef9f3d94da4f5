/// A rate: `unlimited` or 0, or a size with or without `/s`.
package struct RateText {
  /// Bytes a second; nil is unlimited.
  package let limit: ByteCount?

  package init?(_ text: String) {
    if text == "unlimited" {
      limit = nil
      return
    }
    guard let bytes = SizeText.parse(text.hasSuffix("/s") ? text.dropLast(2) : text[...]) else { return nil }
    limit = bytes == 0 ? nil : ByteCount(bytes)
  }
}
