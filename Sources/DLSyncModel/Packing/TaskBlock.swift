/// Recorded tasks one behind the other, each as numbers at fixed places, then those that not every task has, then the
/// published file, the file that was about to be published, and the texts: destination, URL and checksums, or where an entry
/// says the same, the place of that entry.
final class TaskBlock: Sendable {
  /// Where the numbers of a task are, counted from its beginning.
  private enum Offset {
    static let id = 0
    static let destination = 8
    static let url = 12
    static let digests = 16
    static let queue = 20
    static let state = 22
    static let flags = 23
    static let rest = 24
  }

  /// Numbers of 8 bytes that not every task has, in this order.
  enum Number: UInt8, CaseIterable { case priority = 1, confirmed = 2, total = 4, listMark = 8, checkedAt = 16 }

  private static let numbers: UInt8 = 31
  private static let published: UInt8 = 32
  private static let intent: UInt8 = 64
  /// Whether an entry has the texts.
  private static let shared: UInt8 = 128
  /// Beside the state: whether the record says what the manifest wants.
  private static let asWanted: UInt8 = 128

  private let bytes: [UInt8]
  private let queues: [QueueName]
  /// Blocks of entries that have texts of tasks.
  private let entries: [EntryBlock]

  /// A block of one task.
  init(_ draft: TaskDraft, queue: QueueName, _ texts: TaskTexts) {
    var buffer = BlockBuffer()
    Self.append(draft, queue: 0, texts, to: &buffer)
    bytes = buffer.contents
    queues = [queue]
    entries = []
  }

  init(_ bytes: [UInt8], _ queues: [QueueName], _ entries: [EntryBlock]) {
    self.bytes = bytes
    self.queues = queues
    self.entries = entries
  }

  /// Adds a task to the end of a block that is being made. `shared` is the entry that has the same texts: its block, by its
  /// number, and its place in that.
  static func append(
    _ draft: TaskDraft, queue: Int, _ texts: TaskTexts, shared: (block: Int, start: Int)? = nil,
    to buffer: inout BlockBuffer
  ) {
    let published = draft.published.map { texts.checksums.begins(with: $0.fingerprint) ? nothing : $0.fingerprint }
    var flags: UInt8 = shared == nil ? 0 : Self.shared
    var count = Offset.rest + (shared == nil ? texts.destination.count + texts.url.count + texts.checksums.count : 0)
    if let published {
      flags |= Self.published
      count += PackedFile.count(fingerprint: published.count)
    }
    if let intent = draft.intent {
      flags |= Self.intent
      count += PackedFile.count(fingerprint: intent.fingerprint.count)
    }
    for number in Number.allCases where draft[number] != nil {
      flags |= number.rawValue
      count += 8
    }
    buffer.append(count) { cursor in
      cursor.put(draft.id.value)
      cursor.put(Int32(shared?.start ?? texts.destination.count))
      cursor.put(Int32(shared?.block ?? texts.url.count))
      cursor.put(Int32(shared == nil ? texts.checksums.count : 0))
      cursor.put(UInt16(queue))
      cursor.put(draft.state.packed | (draft.isAsWanted ? asWanted : 0))
      cursor.put(flags)
      for number in Number.allCases {
        if let value = draft[number] { cursor.put(value) }
      }
      if let file = draft.published, let published { PackedFile.write(file, fingerprint: published, to: &cursor) }
      if let intent = draft.intent { PackedFile.write(intent, fingerprint: intent.fingerprint, to: &cursor) }
      guard shared == nil else { return }
      cursor.put(texts.destination)
      cursor.put(texts.url)
      cursor.put(texts.checksums)
    }
  }

  private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}

// One task, by its beginning.
extension TaskBlock {
  func id(_ start: Int) -> UInt64 { bytes.number(at: start + Offset.id) }
  func queue(_ start: Int) -> QueueName { queues[Int(bytes.number(at: start + Offset.queue, as: UInt16.self))] }
  func state(_ start: Int) -> TaskState { TaskState(packed: bytes[start + Offset.state] & ~Self.asWanted) }
  func isAsWanted(_ start: Int) -> Bool { bytes[start + Offset.state] & Self.asWanted != 0 }

  func number(_ number: Number, _ start: Int) -> Int64? {
    let flags = flags(start)
    guard flags & number.rawValue != 0 else { return nil }
    let before = (flags & Self.numbers & (number.rawValue - 1)).nonzeroBitCount
    return bytes.number(at: start + Offset.rest + 8 * before)
  }

  func hasPublished(_ start: Int) -> Bool { flags(start) & Self.published != 0 }

  func published(_ start: Int) -> PublishedFile? {
    hasPublished(start) ? file(start, at: publishedStart(start)) : nil
  }

  func publishedIdentity(_ start: Int) -> FileIdentity? {
    hasPublished(start) ? PackedFile.identity(bytes, at: publishedStart(start)) : nil
  }

  func publishedAt(_ start: Int) -> Timestamp? {
    hasPublished(start) ? PackedFile.recordedAt(bytes, at: publishedStart(start)) : nil
  }

  /// The bytes of the published file's digest.
  func fingerprint(_ start: Int) -> ArraySlice<UInt8> {
    hasPublished(start) ? fingerprint(start, ofFileAt: publishedStart(start)).dropFirst() : []
  }

  func intent(_ start: Int) -> PublishedFile? {
    flags(start) & Self.intent == 0 ? nil : file(start, at: intentStart(start))
  }

  private func file(_ start: Int, at place: Int) -> PublishedFile? {
    guard let digest = PackedDigests.digests(fingerprint(start, ofFileAt: place)).first else { return nil }
    return PublishedFile(
      fingerprint: digest, identity: PackedFile.identity(bytes, at: place),
      recordedAt: PackedFile.recordedAt(bytes, at: place))
  }

  /// One digest, as `PackedDigests` has it.
  private func fingerprint(_ start: Int, ofFileAt place: Int) -> ArraySlice<UInt8> {
    if let own = PackedFile.fingerprint(bytes, at: place) { return own }
    let checksums = digests(start)
    return checksums.withUnsafeBytes { checksums.prefix(PackedDigests.first($0).count) }
  }

  func destination(_ start: Int) -> ArraySlice<UInt8> {
    if let entry = entry(start) { return entry.pathBytes }
    let first = textStart(start)
    return bytes[first..<first + length(start, Offset.destination)]
  }

  func url(_ start: Int) -> ArraySlice<UInt8> {
    if let entry = entry(start) { return entry.urlBytes }
    let first = textStart(start) + length(start, Offset.destination)
    return bytes[first..<first + length(start, Offset.url)]
  }

  func digests(_ start: Int) -> ArraySlice<UInt8> {
    if let entry = entry(start) { return entry.checksumBytes }
    let first = textStart(start) + length(start, Offset.destination) + length(start, Offset.url)
    return bytes[first..<first + length(start, Offset.digests)]
  }

  /// Whether this entry has the texts.
  func isShared(_ start: Int, with entry: FileEntry) -> Bool {
    flags(start) & Self.shared != 0 && length(start, Offset.destination) == entry.start
      && entries[length(start, Offset.url)] === entry.block
  }

  /// The entry that has the texts.
  private func entry(_ start: Int) -> FileEntry? {
    guard flags(start) & Self.shared != 0 else { return nil }
    return FileEntry(entries[length(start, Offset.url)], at: length(start, Offset.destination))
  }

  private func textStart(_ start: Int) -> Int {
    let first = intentStart(start)
    return flags(start) & Self.intent == 0 ? first : PackedFile.end(bytes, at: first)
  }

  private func intentStart(_ start: Int) -> Int {
    let first = publishedStart(start)
    return hasPublished(start) ? PackedFile.end(bytes, at: first) : first
  }

  private func publishedStart(_ start: Int) -> Int {
    start + Offset.rest + 8 * (flags(start) & Self.numbers).nonzeroBitCount
  }

  private func flags(_ start: Int) -> UInt8 { bytes[start + Offset.flags] }

  private func length(_ start: Int, _ offset: Int) -> Int { Int(bytes.number(at: start + offset, as: Int32.self)) }
}

extension TaskDraft {
  fileprivate subscript(_ number: TaskBlock.Number) -> Int64? {
    switch number {
    case .priority: priority == 0.5 ? nil : Int64(bitPattern: priority.bitPattern)
    case .confirmed: confirmedBytes == .zero ? nil : confirmedBytes.bytes
    case .total: totalBytes?.bytes
    case .listMark: listMark == 0 ? nil : listMark
    case .checkedAt: checkedAt?.nanoseconds
    }
  }
}

extension TaskState {
  fileprivate var packed: UInt8 { UInt8(Self.allCases.firstIndex(of: self)!) }
  fileprivate init(packed: UInt8) { self = Self.allCases[Int(packed)] }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes, which are some, stand at the beginning.
  fileprivate func begins(with other: UnsafeRawBufferPointer) -> Bool {
    !other.isEmpty && count >= other.count
      && UnsafeRawBufferPointer(rebasing: self[..<other.count]).hasSameBytes(as: other)
  }
}
