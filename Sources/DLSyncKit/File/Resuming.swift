internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// What attempts and later runs build upon: the part file's beginning, what a response means for it, and what becomes of it
/// at the end.
extension Execution {
  // MARK: The part file

  /// The part file of an attempt, with the bytes that it may build upon.
  func openPart(_ job: FileJob) throws(DLSyncError) -> PartFile {
    if let part = job.part {
      if !job.resumption.keepsBytes { try empty(job, part) }
      return part
    }
    let part = try PartFile.open(
      for: job.entry, keepExisting: false, digests: job.checksums.algorithms, folders: folders, room: heldBytes)
    job.part = part
    return part
  }

  /// Whether bytes of the file may be there that the job does not have yet; asked once for each time that they are left.
  func mayReopenPart(of job: FileJob) -> Bool {
    guard job.part == nil else { return false }
    let mayBeThere =
      [.resume, .suspended, .replace].contains(job.plan.reason) || commanded.reopening.remove(job.file) != nil
    return mayBeThere && !job.plan.isCopied
  }

  /// The part file that an earlier run left, with what its recorded chunks prove; nil where nothing is recorded that
  /// could tell whether the server still has the same resource.
  func reopenPart(_ job: FileJob) async throws(DLSyncError) -> PartFile? {
    let id = job.entry.id
    guard let pieces = try await store.pieces(of: [id])[id], let record = try await store.responses(of: [id])[id] else {
      return nil
    }
    let validator = record.validator.map(Validator.init(recorded:))
    guard validator != nil || !job.checksums.isEmpty else { return nil }
    let part = try PartFile.open(
      for: job.entry, keepExisting: true, digests: job.checksums.algorithms, folders: folders)
    job.part = part
    let configured = job.queue.configuration.chunkSize
    var size = try ChunkGrid.size(configured: configured, total: record.total?.bytes)
    // What is recorded stays what it is, also when the queue's size was changed since.
    if let recorded = pieces.chunkSize { size = recorded }
    part.keepChunks(of: size)
    if part.existingLength == 0 { try await seed(part, job) }
    let present: [ByteRange]
    do throws(DLSyncError) { present = try await partThreads.prover.accept(part, pieces, cancel: job.cancel) } catch {
      // What was not read again yet is as good as before.
      if error.code == .interrupted {
        job.part = nil
        part.keep()
      }
      throw error
    }
    guard !present.isEmpty else {
      try part.restart()
      part.keepChunks(of: 0)
      return part
    }
    job.resumption.validator = validator
    job.resumption.total = record.total?.bytes
    job.resumption.codings = ContentCodings(record.headers)
    job.resumption.chunkSize = size
    job.resumption.keepsBytes = true
    job.resumption.hasPieces = true
    job.resumption.hasStalePieces = false
    job.resumption.isInherited = true
    job.resumption.isUnproven = validator == nil
    let offset = present.reduce(0) { $0 + $1.length }
    relay.send(.resumed(file: job.file, offset: ByteCount(offset), total: record.total))
    return part
  }

  /// The bytes that are to be repaired, as they are: what is right among them need not come again.
  private func seed(_ part: PartFile, _ job: FileJob) async throws(DLSyncError) {
    guard options.repairing?.contains(job.entry.id) == true, case .file(let identity) = job.plan.basis else { return }
    do throws(DLSyncError) {
      let source = job.entry.destination
      _ = try await copies.thread.copy(from: source, identity: identity, into: part, cancel: job.cancel)
    } catch {
      // Changed meanwhile, or there is no room for both: then the whole comes.
      try part.restart()
    }
  }

  /// After trouble that says that what is there does not fit what the server has: whether the attempt goes on, and with
  /// what. First, where a declared checksum will prove the whole, without the old validator; then once from the start, on
  /// one connection. Where it may be the range alone that is refused, the whole is asked for: what is there stays until
  /// that comes.
  func beginAnew(_ job: FileJob, after error: DLSyncError) throws(DLSyncError) -> Bool {
    guard let part = job.part, !schedule.isClosed else { return false }
    if error.mayRefuseRanges, !job.hasAnswer, !part.present.isEmpty, !job.resumption.asksWhole {
      job.resumption.asksWhole = true
      job.resumption.connections = 1
      return true
    }
    let doubtful = error.code == .checksumMismatch && job.resumption.isUnproven
    guard error.code == .resourceChanged || doubtful else { return false }
    if job.resumption.isInherited, !job.resumption.isUnproven, !job.checksums.isEmpty {
      job.resumption.isUnproven = true
      job.resumption.validator = nil
      return true
    }
    guard !job.resumption.hasBegunAnew else { return false }
    try empty(job, part)
    job.resumption.hasBegunAnew = true
    job.resumption.connections = 1
    if job.state != .running { move(job, to: .running) }
    return true
  }

  /// What is there counts for nothing any more.
  func empty(_ job: FileJob, _ part: PartFile) throws(DLSyncError) {
    try part.restart()
    part.keepChunks(of: 0)
    job.progress.set(0)
    forgetPieces(job)
    let connections = job.resumption.connections
    let hasBegunAnew = job.resumption.hasBegunAnew
    job.resumption = Resumption()
    job.resumption.connections = connections
    job.resumption.hasBegunAnew = hasBegunAnew
  }

  func forgetPieces(_ job: FileJob) {
    guard job.resumption.hasPieces else { return }
    job.resumption.hasPieces = false
    journal.add(.piecesDropped(job.entry.id), for: job.entry.id)
  }

  /// What another server is asked for: the rest, where a declared checksum will prove the whole and nothing speaks
  /// against the bytes that are there; else everything.
  func turnPart(of job: FileJob, after error: DLSyncError) {
    job.resumption.connections = job.queue.configuration.connectionsPerFile
    job.resumption.hasBegunAnew = false
    job.resumption.asksWhole = false
    job.resumption.validator = nil
    if job.checksums.isEmpty || error.spoilsBytes { job.resumption.keepsBytes = false }
    if job.resumption.keepsBytes { job.resumption.isUnproven = true }
  }

  // MARK: A response

  /// What a good response means for the bytes that follow: whether they may be built upon, and in which chunks.
  func takeUp(
    _ facts: ResponseFacts, _ job: FileJob, _ part: PartFile, isFromStart: Bool
  ) throws(DLSyncError) {
    let asked = job.resumption.keepsBytes
    if isFromStart { forgetPieces(job) }
    let size = try ChunkGrid.size(configured: job.queue.configuration.chunkSize, total: facts.total)
    // A server that answered a range with the whole would do so again.
    let isDeaf = asked && facts.statusCode == 200
    job.resumption.validator = facts.validator
    job.resumption.total = facts.total ?? job.resumption.total
    job.resumption.codings = ContentCodings(facts.headers)
    job.resumption.keepsBytes = facts.validator != nil && facts.mayAnswerRanges && !isDeaf
    if isFromStart { job.resumption.chunkSize = size }
    job.resumption.confirms =
      job.resumption.keepsBytes && part.isUsual && facts.total ?? .max >= job.resumption.chunkSize
    part.keepChunks(of: job.resumption.confirms ? job.resumption.chunkSize : 0)
    if job.resumption.confirms { beginConfirming(job) }
  }

  // MARK: The end

  /// The file does not come in this run: its part stays where chunks of it are recorded and a later run can build upon
  /// them, and goes otherwise.
  func leavePart(_ job: FileJob, after error: DLSyncError? = nil) {
    guard let part = job.part else { return }
    if job.resumption.hasPieces, error?.spoilsBytes != true, !part.hasLostData {
      part.keep()
    } else {
      part.discard()
      forgetPieces(job)
    }
  }
}

extension Resumption {
  /// What a request has to build upon.
  func point(_ present: [ByteRange]) -> ResumePoint {
    ResumePoint(present: present, validator: validator, total: total, codings: codings, asksWhole: asksWhole)
  }
}

extension FileJob {
  /// How many whole chunks are in the part file.
  var wholeChunks: Int64 {
    guard let part else { return 0 }
    let size = max(resumption.chunkSize, queue.configuration.chunkSize.bytes)
    return ChunkGrid.wholeChunks(in: part.present, size: size)
  }

  /// Whether the manifest says that the file is too short to be worth several requests.
  var isShort: Bool {
    entry.size.map { $0.bytes < 2 * queue.configuration.chunkSize.bytes } ?? false
  }
}

extension [ConfirmedPiece] {
  /// The size of the chunks that these are; nil where they disagree, as they never do unless the record is damaged.
  fileprivate var chunkSize: Int64? {
    guard let size = first?.range.length, size > 0, size.isMultiple(of: 64),
      allSatisfy({ $0.range.length == size && $0.range.lower.isMultiple(of: size) })
    else { return nil }
    return size
  }
}

extension Validator {
  /// The record has the text alone: an entity tag is in quotes, a date is not.
  fileprivate init(recorded text: String) {
    self = text.hasPrefix("\"") ? .entityTag(text) : .lastModified(text)
  }
}

extension ResponseFacts {
  /// Whether a range is worth asking for: servers that do not say so may answer them all the same.
  fileprivate var mayAnswerRanges: Bool {
    acceptsRanges
      || !headers.contains { $0.name.lowercased() == "accept-ranges" && $0.value.lowercased() == "none" }
  }
}

extension DLSyncError {
  /// Whether the same request without a range may do better: some servers, and what stands before them, know none.
  fileprivate var mayRefuseRanges: Bool {
    code == .httpStatus && [304, 400, 405, 406, 412, 501].contains(details.statusCode)
  }

  /// Whether what was fetched before is of no use to the next attempt.
  fileprivate var spoilsBytes: Bool {
    switch code {
    case .checksumMismatch, .sizeMismatch, .rangeInvalid, .resourceChanged, .encodingUnsupported: true
    default: false
    }
  }
}
