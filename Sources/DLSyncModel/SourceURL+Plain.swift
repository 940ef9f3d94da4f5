// The short way for the URLs that manifests hold by the hundred thousand: already in their normal form, so that one look
// at each byte is all they need. Everything else takes the long way, which gives the same result.
extension SourceURL {
  /// A URL in its normal form, or a plain relative path below `base`; nil where the long way must decide.
  static func plain(_ written: String, relativeTo base: SourceURL?) -> SourceURL? {
    let isAbsolute: Bool? =
      written.utf8.withContiguousStorageIfAvailable { bytes in
        guard bytes.count > 8 else {
          return isPlain(path: bytes[...]) && !bytes.contains(UInt8(ascii: ":")) ? false : nil
        }
        let hostStart = bytes.starts(with: "https://".utf8) ? 8 : bytes.starts(with: "http://".utf8) ? 7 : 0
        if hostStart == 0 { return isPlain(path: bytes[...]) && !bytes.contains(UInt8(ascii: ":")) ? false : nil }
        guard let slash = bytes[hostStart...].firstIndex(of: UInt8(ascii: "/")), isPlain(host: bytes[hostStart..<slash])
        else { return nil }
        return isPlain(path: bytes[(slash + 1)...]) || slash + 1 == bytes.count ? true : nil
      } ?? nil
    guard let isAbsolute else { return nil }
    if isAbsolute { return SourceURL(recorded: written) }
    guard let base, !base.text.utf8.contains(UInt8(ascii: "?")),
      let slash = base.text.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return nil }
    return SourceURL(recorded: base.text[...slash] + written)
  }

  /// Lower-case letters, digits, dashes, and single dots between them.
  private static func isPlain(host: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    var before = UInt8(ascii: ".")
    for byte in host {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
      case UInt8(ascii: ".") where before != UInt8(ascii: "."): break
      default: return false
      }
      before = byte
    }
    return !host.isEmpty
  }

  /// A path behind its first slash without query, without a percent sign, and without a component that begins with a dot.
  private static func isPlain(path: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard !path.isEmpty, path.first != UInt8(ascii: "/") else { return false }
    var before = UInt8(ascii: "/")
    for byte in path {
      switch byte {
      case 0...0x20, 0x7f...0xff, UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "<"),
        UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"):
        return false
      case UInt8(ascii: ".") where before == UInt8(ascii: "/"): return false
      default: before = byte
      }
    }
    return true
  }
}
