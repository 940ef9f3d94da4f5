import DLSyncModel

/// Builds response heads from the raw lines that libcurl hands over one by one, trailers and informational responses
/// included. Our own parser, because libcurl hides duplicates.
struct HeaderParser {
  enum Step: Equatable {
    /// More lines are to come.
    case more
    /// The empty line: a head is whole.
    case head(ResponseHead)
    /// No valid head; what is wrong with it.
    case invalid(String)
  }

  /// More than any server has reason to send; a bound for what a hostile one can make us hold.
  static let byteLimit = 256 * 1024
  static let fieldLimit = 1000
  /// Folded lines of one head. Each makes a value anew, which may be large.
  static let foldLimit = 64

  private let memo: HeaderMemo
  private var head: ResponseHead?
  private var byteCount = 0
  private var foldCount = 0

  init(_ memo: HeaderMemo = HeaderMemo()) { self.memo = memo }

  /// Takes one line, its end included. A status line begins a new head.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
    byteCount += line.count
    guard byteCount <= Self.byteLimit else { return .invalid("the header is larger than 256 KiB") }
    if let place = head?.fields.count, let known = memo.field(at: place, line) {
      head?.append(known.field, known.name)
      return .more
    }
    var text = line[...]
    while let last = text.last, last == 0x0a || last == 0x0d { text = text.dropLast() }
    if text.isEmpty {
      guard let whole = head else { return .more }
      // However many interim heads there are (RFC 9110, section 15.2), all of them together are no longer than one.
      let count = whole.statusCode < 200 ? byteCount : 0
      reset()
      byteCount = count
      return .head(whole)
    }
    if head == nil || Self.isStatusLine(text) {
      guard let status = Self.status(of: text) else { return .invalid("the status line is not one of HTTP") }
      head = ResponseHead(statusCode: status, majorVersion: Self.majorVersion(of: text))
      return .more
    }
    return takeField(text, of: line)
  }

  mutating func reset() {
    head = nil
    byteCount = 0
    foldCount = 0
  }

  /// Takes the text of a line that is no status line.
  private mutating func takeField(_ text: Slice<UnsafeRawBufferPointer>, of line: UnsafeRawBufferPointer) -> Step {
    if text.first == 0x20 || text.first == 0x09 {
      // A folded line (RFC 9112, section 5.2) goes on with the value of the line before it.
      foldCount += 1
      guard foldCount <= Self.foldLimit else {
        return .invalid("the header has more than \(Self.foldLimit) folded lines")
      }
      head?.extendLast(by: Self.text(Self.trimmed(text)))
      return .more
    }
    guard let colon = text.firstIndex(of: 0x3a) else { return .more }
    let name = Self.trimmed(text[..<colon])
    guard !name.isEmpty else { return .more }
    let place = head?.fields.count ?? 0
    guard place < Self.fieldLimit else { return .invalid("the header has more than 1000 fields") }
    let field = HeaderField(Self.text(name), Self.text(Self.trimmed(text[text.index(after: colon)...])))
    let known = FieldName(field.name)
    head?.append(field, known)
    memo.remember(field, known, at: place, line)
    return .more
  }

  private static func isStatusLine(_ line: Slice<UnsafeRawBufferPointer>) -> Bool {
    line.count >= 5 && line.prefix(5).elementsEqual("HTTP/".utf8)
  }

  private static func majorVersion(of line: Slice<UnsafeRawBufferPointer>) -> Int {
    line.dropFirst(5).first.map { Int($0) - 0x30 } ?? 1
  }

  private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int? {
    guard isStatusLine(line), let space = line.firstIndex(of: 0x20) else { return nil }
    let digits = trimmed(line[space...]).prefix { $0 != 0x20 }
    guard digits.count == 3, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes = bytes.dropLast() }
    return bytes
  }

  /// UTF-8 where it is; else each byte above 0x7f percent-encoded, so that a Location in another encoding still asks for
  /// the bytes that the server named.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let buffer = UnsafeRawBufferPointer(rebasing: bytes)
    if let text = String(validating: buffer, as: UTF8.self) { return text }
    var out: [UInt8] = []
    for byte in buffer {
      if byte < 0x80 {
        out.append(byte)
      } else {
        out.append(0x25)
        out.append(contentsOf: Hex.encode(CollectionOfOne(byte)).utf8)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
