import DLSyncModel

/// Turns the lines of a list into records, each a tree as if it stood in a manifest.
struct ListRecords {
  private let format: RecordFormat
  private let state: DecodingState
  private let tree = Tree()
  /// Of a table: its keys, once the first record was read.
  private var keys: [TableRow.Field]?
  /// The same, where its records may be usual ones.
  private var columns: UsualColumns?
  private var row: TableRow?
  private var armor = SumsArmor()
  private var sums = SumsTable()
  private var download: Aria2Record?

  init(_ format: RecordFormat, _ state: DecodingState) {
    self.format = format
    self.state = state
  }

  /// Takes a line and hands on what is whole with it. False where the rest of the list cannot mean anything.
  mutating func take(
    _ line: ArraySlice<UInt8>, number: Int, ending: LineEnding, _ emit: (NodeRef) -> Void
  ) -> Bool {
    guard isText(line, number) else { return true }
    switch format {
    case .urls: takeURL(line, number, emit)
    case .ndjson: takeJSON(line, number, emit)
    case .csv, .tsv: return takeRow(line, number, ending, emit)
    case .aria2: takeDownload(line, number, emit)
    case .sums: takeSum(line, number)
    }
    return true
  }

  /// Hands the texts of a line that is a usual record to the body; false where it is none, or the body wants none of it.
  /// Then it is to be taken.
  func isUsual(_ line: ArraySlice<UInt8>, _ body: (UsualTexts) -> Bool) -> Bool {
    guard row == nil, let columns else { return false }
    return line.withUnsafeBytes { line in columns.texts(of: line).map(body) ?? false }
  }

  /// The list has ended.
  mutating func finish(_ emit: (NodeRef) -> Void) {
    if let download { download.emit(RecordTree(reusing: tree), emit) }
    sums.forEach { self.emit($0, $1, line: $2, emit) }
    guard let row else { return }
    do throws(TableRow.Problem) { try row.finish() } catch { report(error) }
  }

  /// Whether a line, just taken, may be quoted: one that may hold headers or a password may not.
  func mayShow(_ line: ArraySlice<UInt8>) -> Bool {
    switch format {
    case .urls, .sums: return true
    case .csv, .tsv:
      // Of the first line, which names them, and of all below.
      return keys?.contains { SecretText.mayHoldSecrets(key: String(decoding: $0.bytes, as: UTF8.self)) } != true
    case .ndjson:
      let text = String(decoding: line, as: UTF8.self).lowercased()
      return !["header", "authoriz", "cookie", "proxy"].contains { text.contains($0) }
    case .aria2: return Aria2Record.mayShow(line)
    }
  }

  private func isText(_ line: ArraySlice<UInt8>, _ number: Int) -> Bool {
    if line.withUnsafeBytes(\.isASCII) || String(validating: line, as: UTF8.self) != nil { return true }
    report(TextPosition(number, 1), "the line is not UTF-8", hint: "save the list as UTF-8")
    return false
  }

  private func report(_ place: TextPosition, _ message: String, hint: String? = nil) {
    state.problems.report(place, path: state.pathText, message, hint: hint)
  }

  private func isBlank(_ line: ArraySlice<UInt8>) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
}

// A URL, or an object, on each line.
extension ListRecords {
  private mutating func takeURL(_ line: ArraySlice<UInt8>, _ number: Int, _ emit: (NodeRef) -> Void) {
    guard let text = URLList.url(of: line) else { return }
    var columns = ColumnCounter(line)
    var record = RecordTree(reusing: tree)
    record.add(text, at: TextPosition(number, columns.column(of: text.startIndex)))
    emit(record.root)
  }

  private mutating func takeJSON(_ line: ArraySlice<UInt8>, _ number: Int, _ emit: (NodeRef) -> Void) {
    guard !isBlank(line) else { return }
    do throws(JSONRecord.Problem) {
      emit(try JSONRecord.read(line, number: number, into: RecordTree(reusing: tree)))
    } catch {
      report(TextPosition(number, error.column), error.message)
    }
  }

  private mutating func takeSum(_ line: ArraySlice<UInt8>, _ number: Int) {
    guard let text = armor.strip(line) else { return }
    let place = TextPosition(number, 1)
    guard let sum = SumsLine(text) else {
      let first = text.first { $0 != 0x20 && $0 != 0x09 }
      if let first, first != UInt8(ascii: "#") { report(place, "the line is no checksum with a name") }
      return
    }
    guard let name = sum.name else { return report(place, "the checksum has no name beside it") }
    guard let digest = sum.digest else { return report(place, "the line is no checksum") }
    if !sums.add(name, digest, line: number) {
      report(place, "\(Quote.text(name)) has another \(digest.algorithm.name) digest further up")
    }
  }

  /// The name in the list is a path below `baseURL`, not a URL: what has a meaning in URLs is encoded.
  private func emit(_ name: String, _ digests: [Digest], line: Int, _ emit: (NodeRef) -> Void) {
    let place = TextPosition(line, 1)
    var record = RecordTree(reusing: tree)
    record.begin(.mapping, at: place)
    record.add("url".utf8, at: place)
    record.add("./\(SumsLine.reference(name))".utf8, at: place)
    record.add("checksum".utf8, at: place)
    if digests.count > 1 { record.begin(.sequence, at: place) }
    for digest in digests { record.add(digest.description.utf8, at: place) }
    if digests.count > 1 { record.end() }
    record.end()
    emit(record.root)
  }
}

// Tables: the first record names file keys.
extension ListRecords {
  private var separator: UInt8 { UInt8(ascii: format == .csv ? "," : "\t") }

  private mutating func takeRow(
    _ line: ArraySlice<UInt8>, _ number: Int, _ ending: LineEnding, _ emit: (NodeRef) -> Void
  ) -> Bool {
    if row == nil, isBlank(line) { return true }
    var row = self.row ?? TableRow(separator: separator)
    // One owner: a record of many lines is not copied for each of them.
    self.row = nil
    do throws(TableRow.Problem) {
      try row.take(line, number: number, ending: ending)
    } catch {
      report(error)
      if case .longQuote = error { return false }
      return keys != nil
    }
    if row.isOpen {
      self.row = row
      return true
    }
    guard let keys else { return takeKeys(row.fields) }
    guard row.fields.count == keys.count else {
      report(
        row.fields[0].place, "the record has \(row.fields.count) fields, the first line names \(keys.count)",
        hint: format == .csv ? "put a text that holds a comma in quotes" : nil)
      return true
    }
    var record = RecordTree(reusing: tree)
    record.begin(.mapping, at: row.fields[0].place)
    for index in keys.indices where !row.fields[index].bytes.isEmpty {
      record.add(keys[index].bytes, at: row.fields[index].place)
      record.add(row.fields[index].bytes, at: row.fields[index].place)
    }
    record.end()
    emit(record.root)
    return true
  }

  /// The first record; false where a name in it is wrong, because then no other record can be understood.
  private mutating func takeKeys(_ fields: [TableRow.Field]) -> Bool {
    let table = FileDraft.listTable
    var names: Set<String> = []
    var isRight = true
    for field in fields {
      let name = String(decoding: field.bytes, as: UTF8.self)
      if !names.insert(name).inserted {
        report(field.place, "the key `\(Quote.short(name))` stands twice in the first line")
      } else if let reason = table.refused[name] {
        report(field.place, "the key `\(name)` \(reason)")
      } else if !table.keys.contains(where: { $0.name == name }) {
        let nearest = NearestName.slip(name, among: table.keys.map(\.name)).map { "did you mean `\($0)`?" }
        report(
          field.place, "the first line names file keys, and `\(Quote.short(name))` is none",
          hint: nearest ?? "known are \(table.keys.map(\.name).joined(separator: ", "))")
      } else {
        continue
      }
      isRight = false
    }
    if isRight, !names.contains("url") {
      report(fields[0].place, "the first line names file keys, and `url` is not among them")
      isRight = false
    }
    // They outlive the line.
    keys = fields.map { TableRow.Field(bytes: Array($0.bytes)[...], place: $0.place) }
    if isRight { columns = UsualColumns(fields.map(\.bytes), separator: separator) }
    return isRight
  }

  private func report(_ problem: TableRow.Problem) {
    switch problem {
    case .strayQuote(let place):
      report(place, "a quote stands within a field", hint: "put the whole field in quotes, and double each quote in it")
    case .openQuote(let place): report(place, "a quote begins here and is never closed")
    case .longQuote(let place):
      report(place, "a quote begins here and is not closed within \(ByteCount(Int64(LineReader.greatestLength)))")
    }
  }
}

// aria2: URLs of one file on a line, its options on indented lines below.
extension ListRecords {
  private mutating func takeDownload(_ line: ArraySlice<UInt8>, _ number: Int, _ emit: (NodeRef) -> Void) {
    guard let first = line.first, first != UInt8(ascii: "#"), !isBlank(line) else { return }
    if first != 0x20, first != 0x09 {
      if let download { download.emit(RecordTree(reusing: tree), emit) }
      download = Aria2Record(line, number: number)
    } else if download == nil {
      report(TextPosition(number, 1), "an option stands before the first URL")
    } else {
      switch download?.take(line, number: number) {
      case .wrong(let place, let message): report(place, message)
      case .unknown(let name, let place): report(place, "the option `\(Quote.short(name))` means nothing here")
      case .taken, .tuning, nil: break
      }
    }
  }
}
