/// The text of a scalar with its variables filled in.
struct Text {
  let value: String
  /// Without quotes and without a variable: exactly as the manifest has it.
  let isPlain: Bool
  /// Whether no variable took part. What variables give may be secret and is never quoted.
  let isLiteral: Bool

  /// The text as messages name it.
  var shown: String { isLiteral ? Quote.text(value) : "the value with its variables filled in" }
}
