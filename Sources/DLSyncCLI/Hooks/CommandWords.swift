/// A command as a person writes it, split into words much as a shell would, with nothing expanded.
enum CommandWords {
  /// Blanks part words; `'…'` and `"…"` keep them together; a backslash, also within `"…"`, takes the meaning from
  /// whatever follows. Nil where a quote is not closed, or no word is there.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Unicode.Scalar?
    var isEscaped = false
    for character in text.unicodeScalars {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " || character == "\t" || character == "\n" {
        if let ended = word { words.append(ended) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    return words.isEmpty ? nil : words
  }
}
