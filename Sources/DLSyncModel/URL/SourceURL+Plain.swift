extension SourceURL {
  /// Whether a text is a URL that needs no change at all, told in one pass over its bytes: most of a million are. Anything
  /// unusual is left to the full rules, so this may say no at will, but yes only where they would give the same text.
  static func isPlain(_ written: String) -> Bool {
    var written = written
    return written.withUTF8 { isPlain($0) }
  }

  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let host = hostStart(bytes), let path = pathStart(bytes, host) else { return false }
    return isPlainTail(bytes, path)
  }

  private static func hostStart(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    func begins(_ scheme: StaticString) -> Bool {
      let scheme = UnsafeRawBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount)
      return bytes.count > scheme.count
        && UnsafeRawBufferPointer(start: bytes.baseAddress, count: scheme.count).hasSameBytes(as: scheme)
    }
    return begins("https://") ? 8 : begins("http://") ? 7 : nil
  }

  /// A name in lower case and a port that is no default: where the path begins behind them.
  private static func pathStart(_ bytes: UnsafeBufferPointer<UInt8>, _ host: Int) -> Int? {
    var index = host
    var label = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): label += 1
      case UInt8(ascii: "."):
        guard label > 0 else { return nil }
        label = 0
      case UInt8(ascii: "/"): return label > 0 && index - host <= 63 ? index : nil
      case UInt8(ascii: ":"): return label > 0 && index - host <= 63 ? behindPort(bytes, index + 1, host) : nil
      default: return nil
      }
      index += 1
    }
    return nil
  }

  private static func behindPort(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ host: Int) -> Int? {
    var index = start
    var port = 0
    while index < bytes.count, bytes[index].isASCIIDigit, port <= 65535 {
      port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "/"), bytes[start] != UInt8(ascii: "0"),
      (1...65535).contains(port), port != (host == 8 ? 443 : 80)
    else { return nil }
    return index
  }

  /// No byte that is to be encoded or refused, no fragment, no segment that begins with a dot.
  private static func isPlainTail(_ bytes: UnsafeBufferPointer<UInt8>, _ path: Int) -> Bool {
    var isQuery = false
    var last = UInt8(ascii: "a")
    for index in path..<bytes.count {
      let byte = bytes[index]
      guard byte != UInt8(ascii: "#"), !PercentEncoding.mustEncode(byte) else { return false }
      if byte == UInt8(ascii: "?") { isQuery = true }
      if !isQuery, last == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return false }
      last = byte
    }
    return true
  }
}
