/// A text that is no YAML, in the library's own words.
struct YAMLSyntaxError: Error {
  let problem: String
  let place: TextPosition
  let context: String?
  let contextPlace: TextPosition
}

extension YAMLSyntaxError {
  /// The same in words for people.
  func fault(in source: SourceText) -> YAMLFault {
    let place = source.within(place)
    let line = source.line(Int(place.line)) ?? ""
    let character = line.unicodeScalars.dropFirst(Int(place.column) - 1).first
    if problem.contains("tab character") || (problem.contains("cannot start any token") && character == "\t") {
      return YAMLFault(place, "a tab is used as indentation", hint: "indent with spaces")
    }
    if problem.contains("exceeded maximum depth") { return .tooDeep(at: place) }
    if problem.contains("unexpected end of stream"), context?.contains("quoted scalar") == true {
      return YAMLFault(contextPlace, "a quote begins here and is never closed", hint: "close the quote")
    }
    for (words, message, hint) in Self.sentences where problem.contains(words) {
      return YAMLFault(place, message, hint: variableHint(line) ?? hint)
    }
    let setting = context.map { " \($0)" } ?? ""
    return YAMLFault(place, "this is not YAML: \(problem)\(setting)", hint: variableHint(line))
  }

  /// `{url: a-${b}}` is the usual way into this: braces end a text inside braces.
  private func variableHint(_ line: String) -> String? {
    guard line.contains("${"), line.contains("{") || line.contains("[") else { return nil }
    return "put texts with ${…} that stand inside { } or [ ] in quotes"
  }

  private static let sentences: [(String, String, String?)] = [
    (
      "cannot start any token", "a text without quotes cannot begin with this character",
      "put the text in quotes"
    ),
    (
      "expected alphabetic or numeric character", "a text without quotes cannot begin with `*` or `&`",
      "put the text in quotes"
    ),
    ("did not find expected node content", "a value is missing before this", nil),
    (
      "mapping values are not allowed", "a `:` stands where no key may be",
      "put a text that holds `: ` in quotes; look at the indentation"
    ),
    ("did not find expected key", "a key is expected here", "look at the indentation of this line and the one above"),
    (
      "could not find expected ':'", "a `:` is missing behind the key that stands before this",
      "write `key: value`, with a space behind the colon"
    ),
    (
      "did not find expected '-' indicator", "a `- ` is expected here",
      "look at the indentation of this line and the one above"
    ),
    (
      "block sequence entries are not allowed", "a `- ` stands where no list may be",
      "begin the list on a line of its own"
    ),
    ("found unexpected ':'", "a `:` ends a text without quotes here", "put the text in quotes"),
    ("did not find expected ',' or '}'", "a `,` or `}` is missing before this", nil),
    ("did not find expected ',' or ']'", "a `,` or `]` is missing before this", nil),
    (
      "found unknown escape character", "the text in quotes has an escape that YAML does not know",
      "write `\\\\` for a backslash, or use single quotes"
    ),
    (
      "invalid Unicode character escape code",
      "the escape stands for no character; half of a pair, as in JSON, is none",
      "write the character itself, or all of its number: `\\U0001F600`"
    ),
    (
      "did not find expected <document start>", "the document has ended above; this line does not belong to it",
      "look at the indentation of this line"
    ),
  ]
}
