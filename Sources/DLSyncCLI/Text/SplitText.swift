extension String {
  /// What is before and behind the first such sign, looked for scalar by scalar: a combining mark behind it does not hide it.
  func split(atFirst sign: Unicode.Scalar) -> (before: String, behind: String)? {
    guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
    return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
  }
}
