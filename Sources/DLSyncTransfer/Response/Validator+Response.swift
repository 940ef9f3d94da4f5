extension Validator {
  /// A date is strong when the resource was at least this much older than the response: a second change in the same
  /// second would not show (RFC 9110, section 8.8.2.2).
  static let dateMargin: Int64 = 60

  /// The strong validator of a response, or nil. A weak tag says nothing about bytes; a date beside it still may.
  package init?(_ head: ResponseHead) {
    let tag = head.first(.entityTag)
    // Two tags that differ say that nothing can be relied upon.
    if let tag, !head.all(.entityTag, are: tag) { return nil }
    if let tag, Self.isStrong(tag) {
      self = .entityTag(tag)
      return
    }
    guard let modified = head.first(.lastModified), let date = head.first(.date),
      let modifiedSeconds = HTTPDate.seconds(modified), let dateSeconds = HTTPDate.seconds(date),
      modifiedSeconds <= dateSeconds - Self.dateMargin
    else { return nil }
    self = .lastModified(modified)
  }

  /// Quotes at both ends and none in between; no `W/` (RFC 9110, section 8.8.3).
  private static func isStrong(_ tag: String) -> Bool {
    guard tag.utf8.count >= 2, tag.utf8.first == 0x22, tag.utf8.last == 0x22 else { return false }
    return !tag.utf8.dropFirst().dropLast().contains { $0 == 0x22 || $0 < 0x21 || $0 == 0x7f }
  }

  /// Whether a response is another version of what this validator names. Only a response that carries the same kind of
  /// validator can show that it is the same.
  func isShown(by head: ResponseHead) -> Bool {
    switch self {
    case .entityTag(let tag): head.first(.entityTag) != nil && head.all(.entityTag, are: tag)
    case .lastModified(let date): head.first(.lastModified) != nil && head.all(.lastModified, are: date)
    }
  }
}
