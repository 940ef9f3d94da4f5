import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import DLSyncTestTransport
import DLSyncThreading
import DLSyncTransfer

@testable import DLSyncKit

/// A resource of a scripted server, and a part file to fetch it into.
final class ScriptedFile: Sendable {
  /// What the server does besides answering well: nil answers as a correct range server.
  typealias Trouble = @Sendable (TransferRequest, Int) -> ScriptedTransport.Answer?

  static let chunk: Int64 = 16 << 10
  static let tag = "\"v1\""

  let bytes: [UInt8]
  let part: PartFile
  let progress = Counter()
  let total = Counter(-1)
  let cancel = CancelToken()
  /// How often a mirror joined in whose bytes are unproven.
  let joins = Counter()
  /// What such mirrors brought, and who was caught, in the last fetch.
  let contributions = Locked<[Contribution]>([])
  let dismissed = Locked<[String]>([])
  private let entry: FileEntry
  private let folder: TemporaryFolder
  private let transport: ScriptedTransport
  private let asked: Locked<[RangeRequest?]>

  init(_ bytes: [UInt8], pause: Duration = .milliseconds(1), trouble: @escaping Trouble = { _, _ in nil }) throws {
    self.bytes = bytes
    folder = try TemporaryFolder("segments")
    let asked = Locked<[RangeRequest?]>([])
    self.asked = asked
    transport = ScriptedTransport { request, count in
      asked.withLock { $0.append(request.range) }
      return trouble(request, count) ?? Self.answer(bytes, request.range, pause: pause)
    }
    entry = FileEntry(
      scope: Scope("test"), url: SourceURL(recorded: "http://scripted.test/a"),
      destination: try Destination("a", root: folder.path), options: FileOptions())
    part = try PartFile.open(for: entry, keepExisting: false, digests: [])
    part.keepChunks(of: Self.chunk)
  }

  deinit { transport.stop() }

  /// The ranges that were asked for so far, nil for the whole, in order.
  var requests: [RangeRequest?] { asked.withLock { $0 } }

  /// One attempt over so many connections.
  func fetch(
    connections: Int, present: [ByteRange] = [], validator: Validator? = .entityTag(tag),
    mirrors: [String] = [],
    provesWhole: Bool = false, silence: Duration = .seconds(60)
  ) async -> (end: FetchEnd, received: Int64) {
    var configuration = QueueConfiguration()
    configuration.timeouts.request = silence
    let context = FetchContext(
      transport: transport, entry: entry, source: FetchSource(url: entry.url, headers: []),
      mirrors: mirrors.map { FetchSource(url: SourceURL(recorded: $0), headers: []) },
      provesWhole: provesWhole,
      condition: nil,
      settings: TransferSettings(configuration, userAgent: "dlsync/test", environment: [:]),
      rateLimits: [],
      connections: connections, smallestSplit: Self.chunk,
      deadline: .now.advanced(by: 60_000_000_000), cancel: cancel,
      part: part, progress: progress, total: total, onResponse: { (_) throws(DLSyncError) in },
      onJoin: { [joins] in joins.add(1) },
      onHold: { _ in })
    let point =
      present.isEmpty ? nil : ResumePoint(present: present, validator: validator, total: Int64(bytes.count))
    let fetch = SegmentedFetch(context, resume: point)
    // As in a run: without the preference each step would wait for the pool that all tests share.
    let end = await withTaskExecutorPreference(transport.executor) { await fetch.run() }
    let brought = await fetch.contributions
    let caught = await fetch.caught.map(\.url.text)
    contributions.withLock { $0 = brought }
    dismissed.withLock { $0 = caught }
    return (end, await fetch.received)
  }

  /// Writes ranges of the resource as an earlier attempt would have.
  func put(_ ranges: [ByteRange]) throws {
    for range in ranges {
      let slice = Array(bytes[Int(range.lower)..<Int(range.upper)])
      var failure: DLSyncError?
      slice.withUnsafeBytes { bytes in
        do throws(DLSyncError) { try part.write(bytes, at: range.lower) } catch { failure = error }
      }
      if let failure { throw failure }
    }
  }

  /// Whether the part file holds exactly the resource.
  func isWhole() async throws -> Bool {
    let digest = try await part.finish(length: Int64(bytes.count))[.sha256]
    return digest == bytes.withUnsafeBytes { ContentHash.digests(of: $0, [.sha256]) }[.sha256]
  }

  /// What a correct range server says.
  static func answer(
    _ bytes: [UInt8], _ range: RangeRequest?, tag: String = tag, pause: Duration = .zero,
    ending: ScriptedTransport.Answer.Ending = .orderly, only count: Int = .max
  ) -> ScriptedTransport.Answer {
    let isSame = range?.validator.map { $0.text == tag } ?? true
    guard let range, isSame else {
      return ScriptedTransport.Answer(
        head(200, bytes.count, tag), body: Array(bytes.prefix(count)), ending: ending, pause: pause)
    }
    guard range.lower < bytes.count else {
      return ScriptedTransport.Answer(
        ResponseHead(statusCode: 416, fields: [HeaderField("Content-Range", "bytes */\(bytes.count)")]))
    }
    let upper = min(Int(range.upper ?? .max), bytes.count)
    let place = HeaderField("Content-Range", "bytes \(range.lower)-\(upper - 1)/\(bytes.count)")
    return ScriptedTransport.Answer(
      head(206, upper - Int(range.lower), tag, place), body: Array(bytes[Int(range.lower)..<upper].prefix(count)),
      ending: ending, pause: pause)
  }

  static func refusal(_ status: Int) -> ScriptedTransport.Answer {
    ScriptedTransport.Answer(ResponseHead(statusCode: status, fields: [HeaderField("Content-Length", "0")]))
  }

  private static func head(_ status: Int, _ length: Int, _ tag: String, _ more: HeaderField...) -> ResponseHead {
    let fields = [
      HeaderField("Content-Length", "\(length)"), HeaderField("ETag", tag), HeaderField("Accept-Ranges", "bytes"),
    ]
    return ResponseHead(statusCode: status, fields: fields + more)
  }
}

extension FetchEnd {
  var length: Int64? { if case .complete(let length) = self { length } else { nil } }
  var error: DLSyncError? { if case .failed(let error, _) = self { error } else { nil } }
}
