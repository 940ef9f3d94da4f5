import CYAML

/// What libyaml says of itself.
package enum YAMLFacts {
  /// `0.2.5`.
  package static var version: String { String(cString: yaml_get_version_string()) }
}
