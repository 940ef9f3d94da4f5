/// An external list as `filesFrom` names it.
struct ListDeclaration {
  /// The place in `filesFrom`.
  let index: Int
  /// Absolute.
  let path: String
  let format: RecordFormat
  /// What every file of the list inherits, before what the manifest's own `defaults` say.
  let defaults: FileDraft
  /// Where the manifest names the list.
  let place: TextPosition
}
