/// What makes it pointless to read on: the text is no YAML, or more than a manifest may be.
struct YAMLFault: Error {
  let place: TextPosition
  let message: String
  let hint: String?

  init(_ place: TextPosition, _ message: String, hint: String? = nil) {
    self.place = place
    self.message = message
    self.hint = hint
  }

  /// How many mappings and lists may stand inside one another, the document's own included.
  static let greatestDepth = 64

  static func tooDeep(at place: TextPosition) -> YAMLFault {
    YAMLFault(place, "mappings and lists are nested deeper than \(greatestDepth) levels")
  }
}
