import DLSyncModel
internal import Glibc

// Entries as most of a large manifest are. They are packed as they are written, without a value for each part.
extension FileDecoder {
  /// Packs an entry; false, with nothing done, where it needs a closer look.
  func pack(_ texts: UsualTexts, at place: TextPosition, into files: inout EntryPacker) -> Bool {
    guard let usual, Self.isOrdinary(texts.destination) else { return false }
    func pack(_ digests: UnsafeRawBufferPointer) -> Bool {
      usual.pack(
        url: texts.url, destination: texts.destination, digests: digests, line: place.line, column: place.column,
        into: &files)
    }
    guard !texts.checksum.isEmpty else { return pack(texts.checksum) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DigestText.usualLength) { digest in
      DigestText.pack(usual: texts.checksum.bindMemory(to: UInt8.self), into: digest)
        && pack(UnsafeRawBufferPointer(digest))
    }
  }

  /// The same for an entry of a document: a mapping of texts in which no variable is named.
  func pack(_ entry: NodeRef, into files: inout EntryPacker) -> Bool {
    guard usual != nil, entry.kind == .mapping else { return false }
    let nodes = entry.index + 1..<entry.index + entry.count
    return entry.tree.text.withUnsafeBytes { text in
      var texts = UsualTexts()
      var seen = 0
      for index in stride(from: nodes.lowerBound, to: nodes.upperBound, by: 2) {
        let (key, value) = (entry.tree.nodes[index], entry.tree.nodes[index + 1])
        guard key.kind == .scalar, value.kind == .scalar, value.length > 0,
          let number = UsualTexts.number(of: text.bytes(of: key)), seen & 1 << number == 0,
          !NodeRef(tree: entry.tree, index: index + 1).isNull
        else { return false }
        let bytes = text.bytes(of: value)
        guard memchr(bytes.baseAddress!, Int32(UInt8(ascii: "$")), bytes.count) == nil else { return false }
        texts.set(number, bytes)
        seen |= 1 << number
      }
      return pack(texts, at: entry.place, into: &files)
    }
  }

  /// Whether a destination is neither for another place nor for the home folder, and is no text beyond ASCII.
  private static func isOrdinary(_ destination: UnsafeRawBufferPointer) -> Bool {
    guard let first = destination.first, let start = destination.baseAddress, destination.isASCII else { return false }
    return first != UInt8(ascii: "~") && memchr(start, Int32(UInt8(ascii: ":")), destination.count) == nil
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func bytes(of scalar: Tree.Node) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[Int(scalar.start)..<Int(scalar.start) + Int(scalar.length)])
  }
}
