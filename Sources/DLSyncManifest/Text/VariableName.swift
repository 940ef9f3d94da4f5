/// The names of variables, as `vars`, a matrix and the command line give them.
package enum VariableName {
  /// Whether a text can stand in `${…}`: letters, digits, `_`, `-` and `.`.
  package static func isName(_ text: String) -> Bool { Expansion.isName(text) }
}
