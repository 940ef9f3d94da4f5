/// What RFC 9110 says of request headers, and what dlsync keeps for itself.
public enum HeaderText: Sendable {
  /// Headers that dlsync writes itself; their meaning belongs to the transfer.
  public static let reserved: Set<String> = [
    "range", "if-range", "accept-encoding", "host", "content-length", "connection", "transfer-encoding",
  ]

  /// A token (RFC 9110, section 5.6.2).
  public static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// A field value: no control character but the tab (RFC 9110, section 5.5).
  public static func isValue(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7f && !(0x80...0x9f).contains($0.value))
    }
  }

  /// The value without surrounding blanks, which mean nothing.
  public static func trimmed(_ text: String) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard let first = text.utf8.first, let last = text.utf8.last, isBlank(first) || isBlank(last) else { return text }
    guard let begin = text.utf8.firstIndex(where: { !isBlank($0) }),
      let end = text.utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[begin...end])
  }
}
