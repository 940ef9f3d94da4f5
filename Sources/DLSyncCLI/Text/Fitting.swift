/// Text made to fit a number of columns.
enum Fitting {
  /// What stands for text that was left out, one column wide.
  static let ellipsis = "…"
  /// The same for terminals that draw ASCII only.
  static let plainEllipsis = "~"

  /// The text, or its beginning and its end around an ellipsis where it is too long: of a path, the end says most, and the
  /// name of the file stays whole where that fits.
  static func middle(_ text: String, columns: Int, ellipsis: String = ellipsis) -> String {
    guard columns > 0 else { return "" }
    guard CharacterWidth.of(text) > columns else { return text }
    guard columns > 1 else { return ellipsis }
    let name = text.utf8.lastIndex(of: UInt8(ascii: "/")).map { CharacterWidth.of(text[$0...]) } ?? 0
    let share = (columns - 1) * 2 / 3
    let tail = name < columns ? max(share, name) : share
    return prefix(text, columns: columns - 1 - tail) + ellipsis + suffix(text, columns: tail)
  }

  /// The text, or its beginning and an ellipsis where it is too long: of a sentence, the beginning says most.
  static func end(_ text: String, columns: Int, ellipsis: String = ellipsis) -> String {
    guard columns > 0 else { return "" }
    guard CharacterWidth.of(text) > columns else { return text }
    return prefix(text, columns: columns - 1) + ellipsis
  }

  /// The text with blanks behind it up to so many columns; longer text stays as it is.
  static func padded(_ text: String, columns: Int) -> String {
    text + blanks(columns - CharacterWidth.of(text))
  }

  /// The text with blanks before it up to so many columns.
  static func rightAligned(_ text: String, columns: Int) -> String {
    blanks(columns - CharacterWidth.of(text)) + text
  }

  static func blanks(_ count: Int) -> String {
    guard count > 0 else { return "" }
    guard count <= manyBlanks.utf8.count else { return String(repeating: " ", count: count) }
    return String(manyBlanks[..<manyBlanks.utf8.index(manyBlanks.startIndex, offsetBy: count)])
  }

  /// Cut from this: to repeat a character takes longer, and bars are made of blanks.
  private static let manyBlanks = String(repeating: " ", count: 256)

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
