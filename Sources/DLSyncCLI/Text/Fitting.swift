/// Text made to fit a number of columns.
enum Fitting {
  /// The text, or its beginning and its end around an ellipsis where it is too long: of a path, the end says most.
  static func middle(_ text: String, columns: Int) -> String {
    guard columns > 0 else { return "" }
    guard CharacterWidth.of(text) > columns else { return text }
    guard columns > 1 else { return "…" }
    let tail = (columns - 1) * 2 / 3
    return prefix(text, columns: columns - 1 - tail) + "…" + suffix(text, columns: tail)
  }

  /// The text, or its beginning and an ellipsis where it is too long: of a sentence, the beginning says most.
  static func end(_ text: String, columns: Int) -> String {
    guard columns > 0 else { return "" }
    guard CharacterWidth.of(text) > columns else { return text }
    return prefix(text, columns: columns - 1) + "…"
  }

  /// The text with blanks behind it up to so many columns; longer text stays as it is.
  static func padded(_ text: String, columns: Int) -> String {
    text + blanks(columns - CharacterWidth.of(text))
  }

  /// The text with blanks before it up to so many columns.
  static func rightAligned(_ text: String, columns: Int) -> String {
    blanks(columns - CharacterWidth.of(text)) + text
  }

  static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  /// Words in lines of at most so many columns; a word that is longer has a line of its own.
  static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, CharacterWidth.of(line) + 1 + CharacterWidth.of(word) > columns {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func prefix(_ text: String, columns: Int) -> String {
    var used = 0
    return String(
      text.prefix { character in
        used += CharacterWidth.of(character)
        return used <= columns
      })
  }

  private static func suffix(_ text: String, columns: Int) -> String {
    var used = 0
    var start = text.endIndex
    while start > text.startIndex {
      let before = text.index(before: start)
      used += CharacterWidth.of(text[before])
      guard used <= columns else { break }
      start = before
    }
    return String(text[start...])
  }
}
