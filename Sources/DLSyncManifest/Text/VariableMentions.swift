/// The names of variables that stand in a manifest's text as `${NAME}`, wherever that is.
enum VariableMentions {
  /// Each once. Time grows linearly with the text.
  static func names(in source: SourceText) -> Set<String> {
    let bytes = source.bytes
    var names: Set<String> = []
    var last = 0..<0
    var index = 0
    while index + 2 < bytes.count {
      guard bytes[index] == UInt8(ascii: "$"), bytes[index + 1] == UInt8(ascii: "{") else {
        index += 1
        continue
      }
      let start = index + 2
      var end = start
      // Longer names are no slip of anybody's.
      while end < bytes.count, end - start < 1024, bytes[end] != UInt8(ascii: "}") { end += 1 }
      index = start
      let name = start..<end
      // Most entries use the same few.
      if bytes[name].elementsEqual(bytes[last]) { continue }
      last = name
      let text = String(decoding: bytes[name], as: UTF8.self)
      if Expansion.isName(text) { names.insert(text) }
    }
    return names
  }
}
