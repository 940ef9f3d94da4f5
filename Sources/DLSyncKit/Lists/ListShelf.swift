internal import DLSyncDisk
internal import DLSyncManifest
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// The published lists of checksums of one run: each is read once, when the first file needs it. Files that need it
/// meanwhile wait without a slot, and a list waits for others of its own host alone. Lives on the transfer thread.
final class ListShelf {
  private enum Book {
    case awaited([CheckedContinuation<Void, Never>])
    case read(PublishedList, at: MonotonicInstant)
    case failed(DLSyncError)
  }

  /// No list of checksums is larger: about half a million names.
  static let sizeLimit = 64 << 20
  /// How long files that come into a run later rely on a list that was read for others, in seconds.
  private static let lifetime = 60.0

  /// A list, and whether it is asked for in somebody's name: that may show another one.
  struct Mark: Hashable {
    let place: ListedChecksum.Place
    var identity: HeaderField?
  }

  private let transport: any Transport
  private let netrc: Netrc?
  private let cancel = CancelToken()
  /// A host that a list was asked of wants to be left alone.
  var onHold: (HostPause) -> Void = { _ in }
  private var books: [Mark: Book] = [:]
  /// What is yet to be brought of each host.
  private var lines: [String: Line] = [:]
  private var enlisted: Set<Mark> = []

  private struct Line {
    var waiting: [(mark: Mark, queue: QueueRun)] = []
    var first = 0
    /// How many are being brought.
    var running = 0
  }

  /// The identities are for lists of the origin that their files are of.
  init(_ transport: any Transport, netrc: Netrc?) {
    self.transport = transport
    self.netrc = netrc
  }

  /// Ends what is on its way, for the end of the run.
  func close() {
    cancel.cancel()
    for host in lines.keys { lines[host]?.waiting = [] }
  }

  // MARK: Lists in line

  /// A file comes into the run, or back into it: lists that could not be had for others are asked for once more, and so are
  /// those that were read long ago. A run of the agent may go on for days.
  func renew(for entry: FileEntry, _ now: MonotonicInstant) {
    guard entry.options.listMark != 0 else { return }
    for (mark, _) in marks(of: entry) {
      switch (books[mark], mark.place) {
      case (.failed, _): break
      // What comes from a pipe comes once.
      case (.read(_, let moment), .url) where now.seconds(since: moment) >= Self.lifetime: break
      default: continue
      }
      books[mark] = nil
      enlisted.remove(mark)
    }
  }

  /// The lists of a file that are not known yet, for good or bad.
  func missing(for entry: FileEntry) -> [Mark] {
    marks(of: entry).map(\.0).filter { mark in
      switch books[mark] {
      case .read, .failed: false
      case .awaited, nil: true
      }
    }
  }

  /// Puts lists into the lines of their hosts. Answers the hosts of each of which somebody more is to bring lists: as many at
  /// once as the queue has files at once.
  func enlist(_ marks: [Mark], for queue: QueueRun) -> [String] {
    let limit = min(queue.configuration.concurrency, queue.configuration.connectionsPerHost)
    return marks.filter { enlisted.insert($0).inserted }.compactMap { mark in
      let host = if case .url(let url) = mark.place { url.host } else { "" }
      lines[host, default: Line()].waiting.append((mark, queue))
      guard lines[host]!.running < limit else { return nil }
      lines[host]!.running += 1
      return host
    }
  }

  /// Brings the next list of a host, unless it is here or cannot be had; nil where none is left.
  func bringNext(of host: String) async -> Mark? {
    guard var line = lines[host] else { return nil }
    guard line.first < line.waiting.count else {
      line.running -= 1
      (line.waiting, line.first) = ([], 0)
      lines[host] = line
      return nil
    }
    let (mark, queue) = line.waiting[line.first]
    line.first += 1
    lines[host] = line
    _ = try? await list(mark, queue)
    return mark
  }

  // MARK: Looking things up

  /// The hosts that lists of a file are still to be asked of.
  func hosts(for entry: FileEntry) -> [String] {
    marks(of: entry).compactMap { mark, _ in
      guard books[mark] == nil, case .url(let url) = mark.place else { return nil }
      return url.host
    }
  }

  private func marks(of entry: FileEntry) -> [(Mark, ListedChecksum)] {
    entry.options.settings.listedChecksums.map { checksum in
      var mark = Mark(place: checksum.place, identity: nil)
      if case .url(let url) = checksum.place { mark.identity = entry.identity(for: url, netrc) }
      return (mark, checksum)
    }
  }

  /// The digests that lists have for a file. Throws `checksumUnavailable` where a list cannot be had, does not name the
  /// file, or has several digests for it.
  func digests(for entry: FileEntry, queue: QueueRun) async throws(DLSyncError) -> [Digest] {
    var digests: [Digest] = []
    for (mark, checksum) in marks(of: entry) {
      let list = try await list(mark, queue)
      digests.append(try checksum.digest(of: entry, in: list))
    }
    return digests
  }

  private func list(_ mark: Mark, _ queue: QueueRun) async throws(DLSyncError) -> PublishedList {
    while true {
      switch books[mark] {
      case .read(let list, _): return list
      case .failed(let error): throw error
      case .awaited:
        await withCheckedContinuation { continuation in
          guard case .awaited(var readers) = books[mark] else { return continuation.resume() }
          readers.append(continuation)
          books[mark] = .awaited(readers)
        }
      case nil:
        books[mark] = .awaited([])
        let book = await read(mark, queue)
        guard case .awaited(let readers) = books.updateValue(book, forKey: mark) else { continue }
        for reader in readers { reader.resume() }
      }
    }
  }

  private func read(_ mark: Mark, _ queue: QueueRun) async -> Book {
    do throws(DLSyncError) {
      switch mark.place {
      case .file(let path):
        let cancel = cancel
        let list = try await ThreadExecutor.withThread(named: "dlsync-list") { () throws(DLSyncError) in
          try await Self.read(path, cancel)
        }
        return .read(list, at: .now)
      case .url(let url): return .read(PublishedList(try await fetch(url, mark.identity, queue)), at: .now)
      }
    } catch {
      return .failed(.listUnavailable(mark.place, error))
    }
  }

  /// Not on the transfer thread: a pipe may have its bytes much later.
  @concurrent private static func read(_ path: String, _ cancel: CancelToken) async throws(DLSyncError) -> PublishedList
  {
    PublishedList(try FileText.read(path, limit: sizeLimit, cancel: cancel))
  }

  /// The bytes of a list, with the attempts, waits and limits of the queue whose file needs it first. The entry's headers
  /// are for the file alone.
  private func fetch(_ url: SourceURL, _ identity: HeaderField?, _ queue: QueueRun)
    async throws(DLSyncError) -> [UInt8]
  {
    let deadline = MonotonicInstant.now.advanced(
      by: queue.configuration.timeouts.resource.inNanoseconds)
    var attempt = 1
    while true {
      let sink = MemorySink(limit: Self.sizeLimit)
      let outcome = await transport.fetch(
        TransferRequest(
          url: url, headers: identity.map { [$0] } ?? [], headerOrigin: url.origin, range: nil,
          declaredSize: nil,
          keptCodings: .none,
          settings: queue.settings, rateLimits: queue.rateLimits, deadline: deadline,
          meter: TransferMeter(),
          cancel: cancel, sink: sink, onResponse: { (_) throws(DLSyncError) in }))
      switch outcome.end {
      case .completed, .unchanged: return sink.bytes
      case .cancelled: throw DLSyncError(.interrupted, "the run was stopped")
      case .failed(let error):
        if let pause = outcome.retryAfter { onHold(pause) }
        let decision = RetryPolicy().decide(
          error, attempt: attempt, settings: queue.configuration.retry, random: .random(in: 0...1),
          retryAfter: outcome.retryAfter?.length)
        switch decision {
        case .giveUp(let error): throw error
        case .retry(let delay):
          let next = MonotonicInstant.now.advanced(by: delay.inNanoseconds)
          guard next < deadline else { throw error }
          try await wait(until: next)
        }
      }
      attempt += 1
    }
  }

  private func wait(until moment: MonotonicInstant) async throws(DLSyncError) {
    while MonotonicInstant.now < moment {
      guard !cancel.isCancelled else { throw DLSyncError(.interrupted, "the run was stopped") }
      await transport.executor.sleep(until: min(moment, MonotonicInstant.now.advanced(by: 100_000_000)))
    }
  }
}
