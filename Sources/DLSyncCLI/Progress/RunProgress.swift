import DLSyncModel
import DLSyncThreading

/// How far a run is: a fold over its events, small enough to draw from ten times a second.
struct RunProgress {
  /// A file that is on its way, or was a moment ago.
  struct RunningFile {
    let file: Int
    /// The destination as people know it, harmless for a terminal.
    let name: String
    var state: TaskState
    var sample: ProgressSample
    /// What went wrong: the reason of a wait, or of the end.
    var error: DLSyncError?
    /// When the next attempt begins.
    var nextAttempt: MonotonicInstant?
    /// When the file came to its end; it keeps its place until another one takes it, so that the picture stays calm.
    var ended: MonotonicInstant?
    /// What the file is counted with in the sum, and whether that is its real size.
    var expected: Int64?
  }

  private(set) var running: [RunningFile] = []
  /// The file at each place of `running`, or `Self.nobody` where it has ended: what is looked through for every event.
  private var occupants: [Int] = []
  /// Files that are to be downloaded in this run.
  private(set) var total = 0
  /// Those of them that are at their end.
  private(set) var finished = 0
  private(set) var failed = 0
  /// Bytes that are there, of the files that are to be downloaded.
  private var completedBytes: Int64 = 0
  /// What they will come to, as far as sizes are known.
  private var knownBytes: Int64 = 0
  /// Files whose size nobody knows yet.
  private var unknownSizes = 0
  private var files: [FilePlan] = []
  /// Until when servers asked to be left alone, by host.
  private var hostHolds: [String: MonotonicInstant] = [:]
  /// Seconds between two pictures: the shortest interval of the queues, but waits are counted down by the second.
  private(set) var interval = 0.3
  /// Whether the plan is made.
  private(set) var hasPlan = false

  /// Takes one event into account that came just now.
  mutating func apply(_ event: Event, at now: MonotonicInstant = MonotonicInstant(nanoseconds: 0)) {
    switch event {
    case .planned(let plan): begin(plan)
    case .joined(let more): take(more)
    case .stateChanged(let change): set(change, now)
    case .resumed(let file, let offset, let total):
      update(file, ProgressSample(completed: offset, total: total, bytesPerSecond: nil))
    case .progress(let file, let sample): update(file, sample)
    case .ended(let outcome): end(outcome, now)
    case .warning, .pruned, .finished: break
    }
  }

  /// Forgets files that ended a while ago and whose places nobody took.
  mutating func forgetEnded(before time: MonotonicInstant) {
    running.removeAll { $0.ended.map { $0 < time } ?? false }
    occupants = running.map { $0.ended == nil ? $0.file : Self.nobody }
  }

  /// The destination of a file as people know it, harmless for a terminal; nil before there is a plan.
  func name(of file: Int) -> String? {
    guard files.indices.contains(file) else { return nil }
    return TerminalText.escaped(files[file].entry.destination.relativePath)
  }

  /// The plan for a file; nil before there is one.
  func plan(of file: Int) -> FilePlan? { files.indices.contains(file) ? files[file] : nil }

  /// Bytes, speed and total over all files: the total is known when every size is.
  var overall: ProgressSample {
    let busy = running.lazy.filter { $0.ended == nil }
    let now = busy.reduce(completedBytes) { $0 &+ $1.sample.completed.bytes }
    let speeds = busy.compactMap(\.sample.bytesPerSecond)
    // Where nothing came and nothing will, there is no whole of which that would be all.
    let isKnown = unknownSizes == 0 && (knownBytes > 0 || failed == 0)
    let total = isKnown ? ByteCount(max(now, knownBytes)) : nil
    return ProgressSample(
      completed: ByteCount(max(0, now)), total: total, bytesPerSecond: speeds.isEmpty ? nil : speeds.reduce(0, +))
  }

  /// 0 to 1: by bytes where all sizes are known, else by files.
  var fraction: Double {
    if let fraction = overall.fraction { return total == 0 ? 1 : min(1, fraction) }
    let busy = running.lazy.filter { $0.ended == nil }
    let parts = busy.reduce(Double(failed == total ? 0 : finished)) { $0 + min(1, $1.sample.fraction ?? 0) }
    return total == 0 ? 0 : min(1, parts / Double(total))
  }

  private mutating func begin(_ plan: Plan) {
    hasPlan = true
    let intervals = plan.queues.map { $0.declaration.configuration.progressInterval.inSeconds }
    interval = min(1, max(0.1, intervals.min() ?? interval))
    take(plan.files)
  }

  private mutating func take(_ more: [FilePlan]) {
    files += more
    for file in more where file.action == .download && !file.isHeld {
      total += 1
      if let size = Self.size(of: file) { knownBytes &+= size } else { unknownSizes += 1 }
    }
  }

  /// Whether a file belongs to what is counted here: it is to be downloaded now.
  private func isCounted(_ file: Int) -> Bool {
    guard let plan = plan(of: file) else { return false }
    return plan.action == .download && !plan.isHeld
  }

  private mutating func set(_ change: StateChange, _ now: MonotonicInstant) {
    guard isCounted(change.file) else { return }
    switch change.to {
    // A file that only waits for its turn is not shown; one that waits for something says for what.
    case .waiting where change.error == nil: break
    case .running, .retrying, .verifying, .publishing, .waiting:
      let index = index(of: change.file)
      running[index].state = change.to
      running[index].error = change.error
      // Whatever the last sample said, all bytes are there by then.
      if change.to == .verifying || change.to == .publishing, let size = running[index].expected {
        running[index].sample = ProgressSample(completed: ByteCount(size), total: ByteCount(size), bytesPerSecond: nil)
      }
      running[index].nextAttempt = change.delay.map { now.advanced(by: $0.inNanoseconds) }
      if change.to == .retrying { hold(change, now) }
    default: break
    }
  }

  /// A server that asked to be left alone is asked by nobody before its time: no file of its host begins sooner.
  private mutating func hold(_ change: StateChange, _ now: MonotonicInstant) {
    guard let host = plan(of: change.file)?.entry.url.host else { return }
    if let seconds = change.error?.details.retryAfter, seconds > 0, seconds < 1e9 {
      let until = now.advanced(by: Int64(seconds * 1e9))
      hostHolds[host] = max(until, hostHolds[host] ?? until)
    }
    guard let until = hostHolds[host], until > now else { return }
    for index in running.indices where running[index].state == .retrying && running[index].ended == nil {
      guard let next = running[index].nextAttempt, next < until else { continue }
      if plan(of: running[index].file)?.entry.url.host == host { running[index].nextAttempt = until }
    }
  }

  private mutating func update(_ file: Int, _ sample: ProgressSample) {
    guard isCounted(file) else { return }
    let index = index(of: file)
    running[index].sample = sample
    guard let size = sample.total?.bytes, size != running[index].expected else { return }
    recount(from: running[index].expected, to: size)
    running[index].expected = size
  }

  private mutating func end(_ outcome: FileOutcome, _ now: MonotonicInstant) {
    guard isCounted(outcome.file) else { return }
    let index = index(of: outcome.file)
    let file = running[index]
    running[index].ended = now
    occupants[index] = Self.nobody
    running[index].state = outcome.state
    running[index].error = outcome.error
    guard outcome.state != .waiting || outcome.isHandedOver else {
      // A run that was stopped leaves it where it is.
      completedBytes &+= file.sample.completed.bytes
      return
    }
    finished += 1
    guard outcome.state == .completed else {
      // What will not come is not waited for.
      if outcome.state == .failed { failed += 1 }
      recount(from: file.expected, to: 0)
      return
    }
    let size = outcome.bytes?.bytes ?? file.sample.completed.bytes
    running[index].sample = ProgressSample(completed: ByteCount(size), total: ByteCount(size), bytesPerSecond: nil)
    recount(from: file.expected, to: size)
    completedBytes &+= size
  }

  private mutating func recount(from old: Int64?, to new: Int64) {
    if let old { knownBytes &-= old } else { unknownSizes -= 1 }
    knownBytes &+= new
  }

  /// The place of a file among the running ones, which are few; a new one takes the place of one that ended, or the next.
  private mutating func index(of file: Int) -> Int {
    if let index = occupants.firstIndex(of: file) { return index }
    let sample = ProgressSample(completed: .zero, total: nil, bytesPerSecond: nil)
    let new = RunningFile(
      file: file, name: name(of: file) ?? "", state: .running, sample: sample,
      expected: plan(of: file).flatMap(Self.size))
    guard let free = occupants.firstIndex(of: Self.nobody) else {
      running.append(new)
      occupants.append(file)
      return running.count - 1
    }
    running[free] = new
    occupants[free] = file
    return free
  }

  private static let nobody = -1

  private static func size(of file: FilePlan) -> Int64? { (file.entry.size ?? file.bytes)?.bytes }
}
