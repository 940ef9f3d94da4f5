internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// How one attempt at a file ended.
enum AttemptEnd {
  /// All bytes are in the part file and are the right ones; their SHA-256.
  case verified(Digest)
  /// The server has nothing newer than the file that is there.
  case unchanged
  case failed(DLSyncError, retryAfter: HostPause?)
  /// A checksum that must match cannot be had, so nothing was begun.
  case unlisted(DLSyncError)
  /// The run stops.
  case stopped
}

/// One attempt: its bytes into the part file, and their verification.
extension Execution {
  func attempt(_ job: FileJob) async -> AttemptEnd {
    job.attempts += 1
    move(job, to: .running)
    journal.add(.began(job.entry.id, attempt: job.attempts, at: .now), for: job.entry.id)
    let part: PartFile
    do throws(DLSyncError) {
      if let size = job.entry.size { try claimSpace(for: job, total: size.bytes) }
      if mayReopenPart(of: job), let left = try await reopenPart(job) {
        part = left
      } else {
        part = try openPart(job)
      }
    } catch {
      if error.code == .interrupted { return .stopped }
      job.spentAttempts += 1
      return .failed(error, retryAfter: nil)
    }
    checkpoints.reach(.partCreated)
    if mayCopy(job), let end = await copyLocally(job, into: part) { return end }
    return await bring(job, into: part)
  }

  /// Fetches and verifies; once more from the start where the resource turned out to be another one.
  private func bring(_ job: FileJob, into part: PartFile) async -> AttemptEnd {
    let before = job.wholeChunks
    while true {
      var end: AttemptEnd
      switch await fetch(job, into: part) {
      case .complete(let length):
        checkpoints.reach(.bytesReceived)
        end = await verify(job, part, length: length)
      case .unchanged: return .unchanged
      case .failed(let error, let retryAfter): end = .failed(error, retryAfter: retryAfter)
      case .cancelled: return .stopped
      }
      guard case .failed(let error, _) = end else {
        if !job.suspects.isEmpty { await nameLiars(of: job, part) }
        return end
      }
      if error.code == .checksumMismatch { await suspectMirrors(of: job, part) }
      do throws(DLSyncError) {
        if try beginAnew(job, after: error) { continue }
      } catch {
        end = .failed(error, retryAfter: nil)
      }
      let isProgress = job.resumption.keepsBytes && job.wholeChunks > before
      if !isProgress, !error.details.isPostponed { job.spentAttempts += 1 }
      return lockPin(of: job.entry).map { $0.naming(end, of: job.entry) } ?? end
    }
  }

  /// What is recorded of the server's last word is looked up before a refresh.
  func lookUpResponse(of job: FileJob) async {
    guard job.known == nil else { return }
    job.known = try? await store.responses(of: [job.entry.id])[job.entry.id]
  }

  /// Published checksums are looked up before the file begins. Answers how the file ends where they cannot be had.
  func lookUpChecksums(of job: FileJob) async -> AttemptEnd? {
    do throws(DLSyncError) {
      job.listedDigests = try await lists.digests(for: job.entry, queue: job.queue)
      return schedule.isClosed ? .stopped : nil
    } catch {
      return error.code == .interrupted ? .stopped : .unlisted(error)
    }
  }

  /// The file's bytes: over one plain request, or over several where there is something to build upon or to split.
  private func fetch(_ job: FileJob, into part: PartFile) async -> FetchEnd {
    let present = part.present
    job.progress.set(present.reduce(0) { $0 + $1.length })
    job.hasAnswer = false
    let answer: ResponseFacts?
    let end: FetchEnd
    if present.isEmpty, job.resumption.connections == 1 || job.isShort {
      let outcome = await transport.fetch(request(job, into: part))
      job.fetchedBytes += outcome.received
      answer = outcome.response
      end = FetchEnd(outcome)
    } else {
      let point = present.isEmpty ? nil : job.resumption.point(present)
      let fetch = SegmentedFetch(context(job, into: part), resume: point)
      end = await fetch.run()
      job.fetchedBytes += await fetch.received
      await takeOver(fetch, job)
      answer = await fetch.firstResponse
    }
    if !job.hasAnswer, let answer { note(answer, job, isGood: false) }
    if job.confirmation != nil || !end.isComplete { await endConfirming(job, isComplete: end.isComplete) }
    return end
  }

  private func request(_ job: FileJob, into part: PartFile) -> TransferRequest {
    let entry = job.entry
    return TransferRequest(
      url: job.sources.url, headers: entry.headers(to: job.sources.url, options.planning.netrc),
      headerOrigin: job.sources.url.origin, range: nil, condition: job.condition,
      declaredSize: entry.size, keptCodings: entry.keptCodings(from: job.sources.url),
      settings: job.queue.settings,
      rateLimits: job.queue.rateLimits, deadline: job.deadline,
      meter: TransferMeter(file: job.progress, total: job.total), cancel: job.cancel, sink: part,
      remainingPause: remainingPause, onResponse: learning(job.file))
  }

  private func context(_ job: FileJob, into part: PartFile) -> FetchContext {
    FetchContext(
      transport: transport, entry: job.entry, source: source(job.sources.url, of: job),
      mirrors: partners(of: job), provesWhole: !job.checksums.isEmpty, condition: job.condition,
      settings: job.queue.settings,
      rateLimits: job.queue.rateLimits, connections: job.resumption.connections,
      smallestSplit: max(job.resumption.chunkSize, job.queue.configuration.chunkSize.bytes),
      deadline: job.deadline,
      cancel: job.cancel, part: part, progress: job.progress, total: job.total,
      onResponse: learning(job.file),
      onJoin: joining(job.file),
      onHold: { [self] pause in assumeIsolated { $0.leaveAlone(pause, .now) } },
      remainingPause: remainingPause)
  }

  /// What is done with the first good response of an attempt, on the transfer thread and before its first byte.
  private func learning(_ file: Int) -> @Sendable (ResponseFacts) throws(DLSyncError) -> Void {
    { [self] (facts) throws(DLSyncError) in
      let result = assumeIsolated { execution -> Result<Void, DLSyncError> in
        do throws(DLSyncError) {
          guard let job = execution.jobs[file], let part = job.part else { return .success(()) }
          try execution.learn(facts, job, part)
          return .success(())
        } catch {
          return .failure(error)
        }
      }
      try result.get()
    }
  }

  private func learn(_ facts: ResponseFacts, _ job: FileJob, _ part: PartFile) throws(DLSyncError) {
    if let total = facts.total { try claimSpace(for: job, total: total) }
    if facts.total ?? .max > HeldBytes.most { try part.makeFile() }
    try takeUp(facts, job, part, isFromStart: part.present.isEmpty)
    note(facts, job, isGood: true)
    job.hasAnswer = true
  }

  /// What the response told goes into the record and, where it is odd, into the warnings.
  func note(_ response: ResponseFacts, _ job: FileJob, isGood: Bool) {
    guard response.statusCode != 304 else { return }
    job.response = response
    // Where chunks are recorded, what they belong to stays recorded too, whatever the server says now.
    if isGood || !job.resumption.hasPieces {
      let record = ResponseRecord(response, isGood ? job.resumption : Resumption())
      journal.add(.response(job.entry.id, record), for: job.entry.id)
    }
    guard response.statusCode == 200, job.checksums.isEmpty, response.isPage, !job.sources.url.namesPage else { return }
    let text =
      "\"\(job.sources.url.shown)\" was answered with an HTML page; a checksum would tell whether that is the file"
    job.warnings.append(text)
    relay.send(.warning(file: job.file, text))
  }

  /// Length, then every declared digest, then the fingerprint.
  func verify(_ job: FileJob, _ part: PartFile, length: Int64) async -> AttemptEnd {
    move(job, to: .verifying)
    do throws(DLSyncError) {
      if let size = job.entry.size, size.bytes != length { throw .wrongSize(job, length) }
      let digests = try await part.finish(length: length)
      for expected in job.checksums {
        guard let actual = digests[expected.algorithm] else { throw .noDigest(expected.algorithm, of: job.entry) }
        guard actual == expected else { throw .mismatch(job, expected, actual) }
      }
      checkpoints.reach(.verified)
      return .verified(digests[.sha256]!)
    } catch {
      return .failed(error, retryAfter: nil)
    }
  }
}

extension ResponseRecord {
  init(_ response: ResponseFacts, _ resumption: Resumption) {
    self.init(
      statusCode: response.statusCode, finalURL: Redaction.storable(response.finalURL.text),
      headers: response.headers, isResumable: resumption.keepsBytes && response.total != nil,
      total: response.total.map { ByteCount($0) },
      validator: resumption.confirms && !resumption.isUnproven ? resumption.validator?.text : nil)
  }
}

extension ResponseFacts {
  fileprivate var isPage: Bool { contentType?.lowercased().hasPrefix("text/html") ?? false }
}

extension SourceURL {
  /// Whether an HTML page is what one expects there.
  fileprivate var namesPage: Bool {
    let path = path.lowercased()
    return path.hasSuffix("/") || path.hasSuffix(".html") || path.hasSuffix(".htm")
  }
}

extension FetchEnd {
  fileprivate init(_ outcome: TransferOutcome) {
    switch outcome.end {
    case .completed(let length): self = .complete(length: length)
    case .unchanged: self = .unchanged
    case .failed(let error): self = .failed(error, retryAfter: outcome.retryAfter)
    case .cancelled: self = .cancelled
    }
  }
}

extension DLSyncError {
  fileprivate static func wrongSize(_ job: FileJob, _ length: Int64) -> DLSyncError {
    DLSyncError(
      SizeMismatch(declared: job.entry.size!.bytes, found: "\"\(job.sources.url.shown)\" has \(length) bytes"),
      hint: "correct `size`, or the URL")
  }

  /// libcrypto as it is set up here does not offer every algorithm (FIPS 140-3 rules out MD5).
  fileprivate static func noDigest(_ algorithm: DigestAlgorithm, of entry: FileEntry) -> DLSyncError {
    DLSyncError(
      .checksumUnavailable,
      "the \(algorithm.name) of \"\(entry.url.shown)\" cannot be computed: this system's libcrypto does not offer it",
      hint: "declare a sha256 checksum instead")
  }

  fileprivate static func mismatch(_ job: FileJob, _ expected: Digest, _ actual: Digest) -> DLSyncError {
    DLSyncError(
      .checksumMismatch,
      "\"\(job.sources.url.shown)\" is not the expected file: \(expected.algorithm.name) expected \(expected.hex), "
        + "got \(actual.hex)",
      hint: "if the new bytes are the right ones, update the checksum; otherwise do not trust the server",
      .init(found: actual))
  }
}
