import DLSyncModel

/// Input files of aria2 (its manual, "Input File"): a line of URIs of one file with tabs between them, then its options, one a
/// line behind blanks.
enum Aria2List {
  static func read(_ text: String, into reading: inout ListReading) throws(DLSyncError) {
    var file: ListedFile?
    var folder: String?
    func finished(_ file: ListedFile, _ folder: String?) -> ListedFile {
      var file = file
      if let folder {
        let name = file.destination ?? file.urls.first.flatMap { try? SourceURL($0) }?.fileName ?? "index.html"
        file.destination = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      }
      return file
    }
    for (number, line) in ListReading.lines(text) {
      guard let first = line.first, first != "#", !line.allSatisfy(\.isWhitespace) else { continue }
      if first == " " || first == "\t" {
        guard file != nil else { throw reading.error(number, "an option stands before the first URI") }
        try option(line, number, &file!, &folder, &reading)
      } else {
        if let file { try reading.add(finished(file, folder)) }
        file = ListedFile(urls: line.split(separator: "\t").map(String.init), line: number)
        folder = nil
      }
    }
    if let file { try reading.add(finished(file, folder)) }
  }

  private static func option(
    _ line: Substring, _ number: Int, _ file: inout ListedFile, _ folder: inout String?, _ reading: inout ListReading
  ) throws(DLSyncError) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard let equals = text.firstIndex(of: "=") else {
      throw reading.error(number, "\(Quote.text(String(text))) is no option: NAME=VALUE")
    }
    let (name, value) = (text[..<equals], String(text[text.index(after: equals)...]))
    switch name {
    case "out": file.destination = value
    case "dir": folder = value
    case "checksum":
      // TYPE=DIGEST, with the names of RFC 5854.
      guard let mark = value.firstIndex(of: "=") else { throw reading.error(number, "a checksum is TYPE=DIGEST") }
      let type = value[..<mark].lowercased().filter { $0 != "-" }
      file.checksums.append("\(type):\(value[value.index(after: mark)...])")
    case "header":
      guard let header = ListReading.header(value) else { throw reading.error(number, "a header is NAME: VALUE") }
      file.headers.append(header)
    case "user-agent": file.headers.append(HeaderField("User-Agent", value))
    case "referer" where value != "*": file.headers.append(HeaderField("Referer", value))
    default: reading.losses.add("aria2's option `\(Quote.short(String(name)))`", line: number)
    }
  }

  static func write(_ files: [ListedFile]) -> String {
    var text = ""
    for file in files {
      text += file.urls.joined(separator: "\t") + "\n"
      if let destination = file.destination {
        if destination.hasPrefix("/"), let slash = destination.lastIndex(of: "/") {
          text += "  dir=\(slash == destination.startIndex ? "/" : destination[..<slash])\n"
          text += "  out=\(destination[destination.index(after: slash)...])\n"
        } else {
          text += "  out=\(destination)\n"
        }
      }
      for checksum in file.checksums { text += "  checksum=\(checksum)\n" }
      for header in file.headers { text += "  header=\(header.name): \(header.value)\n" }
    }
    return text
  }
}
