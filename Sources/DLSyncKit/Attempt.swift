internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// How one attempt at a file ended.
enum AttemptEnd {
  /// All bytes are in the part file and are the right ones.
  case verified(length: Int64, fingerprint: Digest)
  case failed(DLSyncError, retryAfter: Duration?)
  /// A checksum that must match cannot be had, so nothing was begun.
  case unlisted(DLSyncError)
  /// The run stops.
  case stopped
}

/// One attempt: a request, its bytes into the part file, and their verification.
extension Execution {
  func attempt(_ job: FileJob) async -> AttemptEnd {
    job.attempts += 1
    move(job, to: .running)
    journal.add(.began(job.entry.id, attempt: job.attempts), for: job.entry.id)
    let part: PartFile
    do throws(DLSyncError) {
      if let size = job.entry.size { try claimSpace(for: job, total: size.bytes) }
      part = try openPart(job)
    } catch {
      return .failed(error, retryAfter: nil)
    }
    checkpoints.reach(.partCreated)
    if let length = await copyLocally(job, into: part) { return await verify(job, part, length: length) }
    let outcome = await transport.fetch(request(job, into: part))
    job.fetchedBytes += outcome.received
    if let response = outcome.response { note(response, job) }
    switch outcome.end {
    case .completed(let length):
      checkpoints.reach(.bytesReceived)
      return await verify(job, part, length: length)
    case .failed(let error): return .failed(error, retryAfter: outcome.retryAfter)
    case .cancelled: return .stopped
    }
  }

  /// Published checksums are looked up before the file begins. Answers how the file ends where they cannot be had.
  func lookUpChecksums(of job: FileJob) async -> AttemptEnd? {
    guard job.listedDigests == nil, job.entry.options.listMark != 0 else { return nil }
    do throws(DLSyncError) {
      job.listedDigests = try await lists.digests(for: job.entry, queue: job.queue)
      return schedule.isClosed ? .stopped : nil
    } catch {
      return error.code == .interrupted ? .stopped : .unlisted(error)
    }
  }

  /// The part file, empty: made for the first attempt, emptied for every later one.
  private func openPart(_ job: FileJob) throws(DLSyncError) -> PartFile {
    job.progress.set(0)
    if let part = job.part {
      try part.restart()
      return part
    }
    let part = try PartFile.open(for: job.entry, keepExisting: false, digests: job.digestAlgorithms)
    job.part = part
    return part
  }

  /// The bytes of a file that is here already, or nil when they have to be fetched after all.
  private func copyLocally(_ job: FileJob, into part: PartFile) async -> Int64? {
    guard job.attempts == 1, let (source, identity) = copySource(of: job.plan) else { return nil }
    do throws(DLSyncError) {
      let length = try await copier.copy(from: source, identity: identity, into: part).bytes
      job.progress.set(length)
      return length
    } catch {
      // The source was changed or removed meanwhile: the server is asked instead.
      do throws(DLSyncError) { try part.restart() } catch { return nil }
      return nil
    }
  }

  private func copySource(of file: FilePlan) -> (Destination, FileIdentity)? {
    if let source = file.copyOf, let identity = identities[source] {
      return (plan.files[source].entry.destination, identity)
    }
    guard let source = file.copyFrom, let place = try? Destination(source.path, root: "/") else { return nil }
    return (place, source.published.identity)
  }

  private func request(_ job: FileJob, into part: PartFile) -> TransferRequest {
    let entry = job.entry
    let file = job.file
    return TransferRequest(
      url: entry.url, headers: entry.options.headers, headerOrigin: entry.url.origin, range: nil,
      declaredSize: entry.size, acceptsEncodedBody: entry.acceptsEncodedBody, settings: job.queue.settings,
      rateLimits: job.queue.rateLimits, deadline: job.deadline,
      meter: TransferMeter(file: job.progress, total: job.total), cancel: job.cancel, sink: part,
      onResponse: { [weak self] (response) throws(DLSyncError) in
        if let total = response.total { try self?.claimSpace(forFile: file, total: total) }
      })
  }

  /// What the response told goes into the record and, where it is odd, into the warnings.
  private func note(_ response: ResponseFacts, _ job: FileJob) {
    job.response = response
    journal.add(.response(job.entry.id, ResponseRecord(response)), for: job.entry.id)
    let path = job.entry.url.path.lowercased()
    let isPage = path.hasSuffix("/") || path.hasSuffix(".html") || path.hasSuffix(".htm")
    guard let type = response.contentType?.lowercased(), type.hasPrefix("text/html"), !isPage,
      job.checksums.isEmpty, response.statusCode == 200
    else { return }
    let text =
      "\"\(job.entry.url.redacted)\" was answered with an HTML page; a checksum would tell whether that is the file"
    job.warnings.append(text)
    relay.send(.warning(file: job.file, text))
  }

  /// Length, then every declared digest, then the fingerprint.
  private func verify(_ job: FileJob, _ part: PartFile, length: Int64) async -> AttemptEnd {
    move(job, to: .verifying)
    do throws(DLSyncError) {
      if let size = job.entry.size, size.bytes != length { throw .wrongSize(job.entry, length) }
      let digests = try await part.finish(length: length)
      for expected in job.checksums {
        guard let actual = digests[expected.algorithm], actual == expected else {
          throw .mismatch(job.entry, expected, digests[expected.algorithm])
        }
      }
      checkpoints.reach(.verified)
      return .verified(length: length, fingerprint: digests[.sha256]!)
    } catch {
      return .failed(error, retryAfter: nil)
    }
  }
}

extension ResponseRecord {
  init(_ response: ResponseFacts) {
    self.init(
      statusCode: response.statusCode, finalURL: Redaction.storable(response.finalURL.text),
      headers: response.headers, isResumable: response.acceptsRanges && response.validator != nil,
      total: response.total.map { ByteCount($0) }, validator: response.validator?.text)
  }
}

extension DLSyncError {
  fileprivate static func wrongSize(_ entry: FileEntry, _ length: Int64) -> DLSyncError {
    DLSyncError(
      .sizeMismatch,
      "\"\(entry.url.redacted)\" has \(length) bytes where the manifest declares \(entry.size!.bytes)",
      hint: "correct `size`, or the URL")
  }

  fileprivate static func mismatch(_ entry: FileEntry, _ expected: Digest, _ actual: Digest?) -> DLSyncError {
    DLSyncError(
      .checksumMismatch,
      "\"\(entry.url.redacted)\" is not the expected file: \(expected.algorithm.name) expected \(expected.hex), "
        + "got \(actual?.hex ?? "none")",
      hint: "if the new bytes are the right ones, update the checksum; otherwise do not trust the server")
  }
}
