import DLSyncModel

/// Input files of aria2 (its manual, "Input File"): a line of URIs of one file with tabs between them, then its options, one a
/// line behind blanks.
enum Aria2List {
  static func read(_ text: String, into reading: inout ListReading) throws(DLSyncError) {
    var record: Aria2Record?
    var line = 0
    for (number, text) in ListReading.lines(text) {
      guard let first = text.first, first != "#", !text.allSatisfy(\.isWhitespace) else { continue }
      if first == " " || first == "\t" {
        guard record != nil else { throw reading.error(number, "an option stands before the first URI") }
        switch record!.take(Array(text.utf8)[...], number: number) {
        case .taken: break
        case .tuning(let name), .unknown(let name, _):
          reading.losses.add("aria2's option `\(Quote.short(name))`", line: number)
        case .wrong(_, let message): throw reading.error(number, message)
        }
      } else {
        if let record { try reading.add(try file(record, line, reading)) }
        record = Aria2Record(Array(text.utf8)[...], number: number)
        line = number
      }
    }
    if let record { try reading.add(try file(record, line, reading)) }
  }

  private static func file(
    _ record: Aria2Record, _ line: Int, _ reading: ListReading
  ) throws(DLSyncError) -> ListedFile {
    var file = ListedFile(urls: record.urls.map(\.text), line: line)
    // aria2 puts it below `dir`, however it is written.
    let name = record.options["out"]?.bytes.drop { $0 == UInt8(ascii: "/") } ?? []
    file.destination = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    if let folder = record.options["dir"]?.text {
      let name = file.destination ?? file.urls.first.flatMap { try? SourceURL($0) }?.fileName ?? "index.html"
      file.destination = folder.endsInSlash ? folder + name : folder + "/" + name
    }
    if let checksum = record.options["checksum"] {
      // TYPE=DIGEST, with the names of RFC 5854.
      guard let mark = checksum.text.firstIndex(of: "=") else {
        throw reading.error(Int(checksum.place.line), "a checksum is TYPE=DIGEST")
      }
      let type = checksum.text[..<mark].lowercased().filter { $0 != "-" }
      file.checksums = ["\(type):\(checksum.text[checksum.text.index(after: mark)...])"]
    }
    file.headers = record.headers.map { name, value in
      HeaderField(HeaderText.trimmed(name.text), HeaderText.trimmed(value.text))
    }
    return file
  }

  static func write(_ files: [ListedFile]) -> String {
    var text = ""
    for file in files {
      text += file.urls.joined(separator: "\t") + "\n"
      if let destination = file.destination {
        if destination.isAbsolutePath, let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/")) {
          text += "  dir=\(slash == destination.startIndex ? "/" : destination[..<slash])\n"
          text += "  out=\(destination[destination.utf8.index(after: slash)...])\n"
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
