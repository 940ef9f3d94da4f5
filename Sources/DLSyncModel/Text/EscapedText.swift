extension String {
  /// The text with some of its characters written otherwise; `written` answers nil for one that stands for itself.
  package func escaped(_ written: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let other = written(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
    }
  }
}
