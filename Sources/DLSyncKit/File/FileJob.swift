internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer

/// One file on its way: what its attempts share. Belongs to the execution and never leaves its thread.
final class FileJob {
  /// The file, as an index into the plan.
  let file: Int
  let plan: FilePlan
  let queue: QueueRun
  /// Bytes in the part file.
  let progress: Counter
  /// The resource's length once it is known, else -1.
  let total = Counter(-1)
  let cancel = CancelToken()
  /// When the first attempt began.
  let begun: MonotonicInstant
  /// When the resource budget is used up.
  let deadline: MonotonicInstant
  var state = TaskState.waiting
  var attempts = 0
  /// Attempts that count: one whose new chunks the next one keeps does not.
  var spentAttempts = 0
  var fetchedBytes: Int64 = 0
  /// The length as far as room was claimed for it.
  var promisedBytes: Int64 = 0
  var part: PartFile?
  /// Digests that published lists have for the file; nil until they were looked up.
  var listedDigests: [Digest]?
  var response: ResponseFacts?
  /// The time that a server told of the bytes, where they are a copy of a file that has it.
  var copiedTime: Timestamp?
  /// Whether the present fetch has had a good response.
  var hasAnswer = false
  /// Where the bytes may come from.
  var sources: SourceRing
  /// What mirrors brought of the bytes that are there, beside the source that was asked, as far as only a declared checksum
  /// can prove it.
  var contributions: [Contribution] = []
  /// The same of bytes that were wrong as a whole, with what they were.
  var suspects: [(contribution: Contribution, digest: Digest)] = []
  /// Whether mirrors may serve beside the source that is asked.
  var mayShare = true
  /// What the server told when the file last came: a refresh asks whether that still holds. Nil until it was looked up.
  var known: ResponseRecord?
  var warnings: [String] = []
  var speed = SpeedEstimate()
  /// For other terminals, which look less often.
  private var slowSpeed = SpeedEstimate()
  /// Whether it has one of its queue's slots: what a command asks comes true when it gives that back.
  private(set) var holdsSlot = false
  /// What it may have open.
  private let openFiles: OpenFileBudget.Share
  /// Where a command wants the file to be when its attempt has ended.
  var wish: TaskState?
  /// What is known of the bytes in the part file, as far as somebody may build upon them.
  var resumption = Resumption()
  /// Confirms chunks while an attempt runs.
  var confirmation: Task<Void, Never>?
  /// Flushes their data meanwhile.
  var flushing: Task<Void, Never>?

  var entry: FileEntry { plan.entry }

  /// `received` counts the payload of the whole run.
  init(
    file: Int, plan: FilePlan, queue: QueueRun, received: Counter, openFiles: OpenFileBudget.Share,
    now: MonotonicInstant
  ) {
    self.openFiles = openFiles
    progress = Counter(parent: received)
    self.file = file
    self.plan = plan
    sources = SourceRing(plan.entry)
    self.queue = queue
    begun = now
    deadline = now.advanced(by: queue.configuration.timeouts.resource.inNanoseconds)
    resumption.connections = queue.configuration.connectionsPerFile
  }

  /// Has a slot, and what it opens with it.
  func take() {
    holdsSlot = true
    openFiles.set(OpenFileBudget.files(connections: queue.configuration.connectionsPerFile))
  }

  /// Gives the slot back; a part file stays open.
  func giveBack() {
    holdsSlot = false
    openFiles.set(part == nil ? 0 : OpenFileBudget.filesOfPart)
  }

  /// How far the file is right now. Those who want a speed keep an estimate of their own.
  func sample(bytesPerSecond: Double? = nil) -> ProgressSample {
    let total = total.value
    return ProgressSample(
      completed: ByteCount(progress.value), total: total >= 0 ? ByteCount(total) : entry.size,
      bytesPerSecond: bytesPerSecond)
  }

  /// The same for who watches this run.
  func watch(_ now: MonotonicInstant) -> ProgressSample {
    sample(bytesPerSecond: speed.take(progress.value, at: now))
  }

  /// The same for the record, which other terminals look at less often.
  func look(_ now: MonotonicInstant) -> ProgressSample {
    sample(bytesPerSecond: slowSpeed.take(progress.value, at: now))
  }

  /// Under which condition the present source is asked.
  var condition: RequestCondition? {
    plan.reason == .stale && sources.isOwn ? known.flatMap { RequestCondition($0.headers) } : nil
  }

  /// The file that is there already and stays where the server has nothing newer.
  var refreshed: PublishedFile? { plan.reason == .stale ? plan.settles : nil }

  /// Digests that the bytes must have, all of them.
  var checksums: [Digest] { entry.checksums + (listedDigests ?? []) }

  /// Whether published checksums are still to be looked up.
  var needsLists: Bool { listedDigests == nil && entry.options.listMark != 0 }

  /// The outcome of this file so far, for its end.
  func outcome(_ state: TaskState, now: MonotonicInstant, error: DLSyncError? = nil) -> FileOutcome {
    var outcome = FileOutcome(file: file, from: self.state, state: state)
    outcome.bytes = total.value >= 0 ? ByteCount(total.value) : entry.size
    outcome.fetchedBytes = ByteCount(fetchedBytes)
    outcome.seconds = now.seconds(since: begun)
    outcome.attempts = attempts
    outcome.finalURL = response?.finalURL.redacted
    outcome.statusCode = response?.statusCode ?? error?.details.statusCode
    outcome.warnings = warnings
    outcome.error = error
    return outcome
  }
}

/// What attempts and later runs may build upon.
struct Resumption {
  /// The strong validator of the resource that the bytes belong to.
  var validator: Validator?
  /// That resource's length, where it was told.
  var total: Int64?
  /// The content codings of the bytes.
  var codings = ContentCodings()
  /// Bytes in a chunk; zero until a response showed that chunks are worth keeping.
  var chunkSize: Int64 = 0
  /// Whether the next attempt may keep what is there.
  var keepsBytes = false
  /// Whether chunks are recorded for later runs.
  var confirms = false
  /// Whether chunks are recorded.
  var hasPieces = false
  /// Whether the record may hold chunks of bytes that are no longer there.
  var hasStalePieces = true
  /// Whether the bytes that are there are an earlier run's.
  var isInherited = false
  /// Connections at once.
  var connections = 1
  /// Whether the one fresh start after a change of the resource was taken.
  var hasBegunAnew = false
  /// Whether the server refused a range, so that the whole is asked for.
  var asksWhole = false
  /// Whether bytes were joined that only a declared checksum can prove to be of one resource.
  var isUnproven = false
  /// When chunks were confirmed last, and how many bytes were there.
  var confirmedAt = MonotonicInstant.now
  var confirmedProgress: Int64 = 0
}

/// What the files of one queue share during a run.
final class QueueRun {
  let name: QueueName
  private(set) var configuration: QueueConfiguration
  let settings: TransferSettings
  /// The queue's bucket and the run's, as far as there are any.
  let rateLimits: [RateLimit]

  init(_ declaration: QueueDeclaration, environment: [String: String], runLimit: RateLimit?) {
    name = declaration.name
    configuration = declaration.configuration
    settings = TransferSettings(
      declaration.configuration, userAgent: ProductVersion.userAgent, environment: environment)
    rateLimits = [declaration.configuration.rate.map { RateLimit(bytesPerSecond: $0) }, runLimit].compactMap { $0 }
  }

  /// Takes settings that may change while files run.
  func reconfigure(_ configuration: QueueConfiguration) { self.configuration = configuration }
}
