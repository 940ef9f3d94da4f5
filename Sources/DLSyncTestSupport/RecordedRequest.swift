package import DLSyncThreading

/// One request as the origin saw it.
package struct RecordedRequest: Sendable, CustomStringConvertible {
  package let method: String
  /// The request target as sent.
  package let target: String
  package let version: String
  package let headers: [(name: String, value: String)]
  /// When its head had come in whole.
  package let time: MonotonicInstant
  /// Which connection of the origin it came on, from 1.
  package let connection: Int
  /// Which request for this path it is, from 1.
  package let attempt: Int

  /// The target without query, and without scheme and authority where the origin was asked as a proxy.
  package var path: String {
    var path = target[...].prefix { $0 != "?" }
    if let scheme = path.firstRange(of: "://") {
      path = path[scheme.upperBound...]
      path = path[(path.firstIndex(of: "/") ?? path.endIndex)...]
    }
    return path.isEmpty ? "/" : String(path)
  }

  /// The first value of a header field, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The bytes that a single `Range` asks for of a body of this size: nil without the field or when it cannot be read,
  /// empty when it lies outside (RFC 9110, section 14.1.2).
  package func range(of size: Int) -> Range<Int>? {
    guard let text = header("Range"), text.hasPrefix("bytes="), !text.contains(",") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    if ends[0].isEmpty {
      guard let count = Int(ends[1]) else { return nil }
      return max(0, size - count)..<size
    }
    guard let first = Int(ends[0]) else { return nil }
    guard let last = ends[1].isEmpty ? max(first, size - 1) : Int(ends[1]), last >= first else { return nil }
    return first < size ? first..<min(last, size - 1) + 1 : size..<size
  }

  /// The request line and the range.
  package var description: String {
    "\(method) \(target)" + (header("Range").map { " (\($0))" } ?? "")
  }
}
