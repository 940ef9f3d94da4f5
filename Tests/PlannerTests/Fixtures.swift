import DLSyncModel
import DLSyncPlanner

let scope = Scope("tests")
let longAgo = Timestamp(seconds: 1_000_000)
let later = Timestamp(seconds: 2_000_000)

/// A digest that stands for some bytes: equal numbers, equal bytes.
func digest(_ bytes: UInt8, _ algorithm: DigestAlgorithm = .sha256) -> Digest {
  Digest(algorithm, bytes: Array(repeating: bytes, count: algorithm.length))!
}

/// What the disk shows of a regular file that was changed long before it was recorded.
func identity(
  _ inode: UInt64 = 1, size: Int64 = 100, modified: Int64 = 900, changed: Int64 = 900, mode: UInt16 = 0o644
) -> FileIdentity {
  FileIdentity(
    device: 7, inode: inode, size: size, modified: modified * 1_000_000_000, changed: changed * 1_000_000_000,
    mode: mode)
}

func published(_ bytes: UInt8, _ identity: FileIdentity = identity(), at moment: Timestamp = longAgo) -> PublishedFile {
  PublishedFile(fingerprint: digest(bytes), identity: identity, recordedAt: moment)
}

func entry(
  _ path: String = "f", url: String = "http://h/a", queue: QueueName = .default, checksums: [Digest] = [],
  size: Int64? = nil, priority: Double = 0.5, headers: [HeaderField] = [], permissions: UInt16? = nil,
  onConflict: ConflictPolicy = .fail, line: Int32 = 1
) -> FileEntry {
  FileEntry(
    scope: scope, url: SourceURL(recorded: url), destination: destination(path), queue: queue,
    checksums: checksums, size: size.map { ByteCount($0) }, priority: priority,
    options: FileOptions(headers: headers, permissions: permissions, onConflict: onConflict), line: line)
}

func destination(_ path: String) -> Destination {
  do { return try Destination(path, root: "/root") } catch { preconditionFailure("\(path): \(error)") }
}

func record(
  _ state: TaskState = .completed, at path: String = "f", url: String = "http://h/a", queue: QueueName = .default,
  checksums: [Digest] = [], published: PublishedFile? = nil, intent: PublishedFile? = nil, confirmed: Int64 = 0,
  total: Int64? = nil
) -> StoredTask {
  let path = path.hasPrefix("/") ? path : "/root/" + path
  return StoredTask(
    id: TaskID(scope: scope, queue: queue, destination: path), queue: queue, destination: path, url: url, state: state,
    checksums: checksums, published: published, intent: intent, confirmedBytes: ByteCount(confirmed),
    totalBytes: total.map { ByteCount($0) })
}

/// One planning: everything that goes in, and the bytes that are really on the disk, so that questions can be answered.
struct World {
  var files: [FileEntry] = []
  var queues = [QueueDeclaration(.default, QueueConfiguration())]
  var stored = StoredState()
  var survey = DiskSurvey(observations: [])
  /// What a reader of each entry's file finds, by entry.
  var bytes: [Int: UInt8] = [:]
  var options = PlanningOptions(now: later)
  var lists: [ListExtent] = []

  init(
    _ files: [FileEntry], records: [StoredTask] = [], _ observations: [Observation]? = nil, bytes: [Int: UInt8] = [:]
  ) {
    self.files = files
    stored.tasks = records
    survey.observations = observations ?? Array(repeating: .absent, count: files.count)
    self.bytes = bytes
  }

  var manifest: Manifest {
    Manifest(scope: scope, source: "m.yaml", root: "/root", queues: queues, files: files, lists: lists)
  }

  var questions: [HashRequest] { Planner(options: options).questions(manifest, stored, survey) }

  /// Asks, answers from `bytes`, plans.
  func plan() -> Plan {
    let preparation = Planner(options: options).prepare(manifest, stored)
    var survey = survey
    for request in preparation.questions(survey) {
      guard let bytes = bytes[request.entry] else { continue }
      survey.digests[request.entry] = Dictionary(
        uniqueKeysWithValues: request.algorithms.map { ($0, digest(bytes, $0)) })
    }
    return preparation.plan(survey)
  }
}

extension Plan {
  /// The decisions in a form that a failing test shows well.
  var decisions: [String] { files.map(\.decision) }
}

extension FilePlan {
  var decision: String { "\(action)/\(reason)" }
}
