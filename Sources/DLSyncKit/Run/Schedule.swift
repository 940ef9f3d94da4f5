internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// Which file begins next. A value without effects: time comes in as a parameter.
///
/// Every queue runs up to its own number of files, all together up to `limit`. Higher priority goes first, equal ones in
/// the manifest's order. A file that waits for its next attempt holds no slot, and a host that asked to be left alone is
/// not asked by anybody before its time.
struct Schedule {
  /// A file, as an index into the plan.
  typealias File = Int

  /// A file whose host is to be left alone for longer than the file may take.
  struct Hopeless: Equatable {
    let file: File
    let pause: HostPause
  }

  /// What to do now.
  enum Next: Equatable {
    case start(File)
    /// These never begin.
    case giveUp([Hopeless])
    /// Nothing can begin before this moment, or before a running file ends.
    case waitUntil(MonotonicInstant)
    /// Nothing can begin before a running file ends.
    case waitForEnd
    /// Nothing is left.
    case finished
  }

  private let limit: Int
  private var running = 0
  /// In the manifest's order.
  private var lanes: [Lane]
  private var delayed: [Delayed] = []
  /// Before this moment none of them may begin. The one that might then may have been taken out since.
  private var soonest: MonotonicInstant?
  /// Whether a file is ready or delayed, by file; those behind the end are not.
  private var isWaiting: [Bool] = []
  /// Files that left or got another standing: of a million at once, done when somebody asks for the order.
  private var unsettled: Set<File> = []
  /// What commands said about single files.
  private var standings: [File: (priority: Double?, rank: Int?)] = [:]
  /// Queues of which nothing begins.
  private var heldQueues: Set<QueueName> = []
  private var hostHolds: [String: (until: MonotonicInstant, statusCode: Int?)] = [:]
  private(set) var isClosed = false

  /// `limit` caps the files at once over all queues.
  init(queues: [QueueDeclaration], limit: Int?) {
    self.limit = limit ?? .max
    lanes = queues.map {
      Lane(
        name: $0.name, patience: $0.configuration.timeouts.resource.inNanoseconds, limit: $0.configuration.concurrency)
    }
  }

  /// Takes in files that may begin at once.
  mutating func add(_ files: [(file: File, entry: FileEntry)]) {
    if files.contains(where: { unsettled.contains($0.file) }) { settle() }
    var tickets = lanes.map { _ in [Ticket]() }
    for (file, entry) in files {
      guard let lane = lane(entry.queue) else { continue }
      tickets[lane].append(ticket(file, entry.priority, entry.url.host))
      note(file, isWaiting: true)
    }
    for (index, tickets) in tickets.enumerated() { lanes[index].insert(tickets) }
  }

  /// Takes a file back that may begin its next attempt at a later moment.
  /// `host` is the one that will be asked, `deadline` the moment at which the file fails.
  mutating func delay(
    _ file: File, _ entry: FileEntry, host: String? = nil, until: MonotonicInstant, deadline: MonotonicInstant? = nil
  ) {
    guard let lane = lane(entry.queue) else { return }
    if unsettled.contains(file) { settle() }
    let ticket = ticket(file, entry.priority, host ?? entry.url.host, deadline)
    delay(ticket, lane, until)
    note(file, isWaiting: true)
  }

  private mutating func note(_ file: File, isWaiting: Bool) {
    if file >= self.isWaiting.count {
      self.isWaiting += repeatElement(false, count: max(64, file - self.isWaiting.count + 1))
    }
    self.isWaiting[file] = isWaiting
  }

  private func lane(_ queue: QueueName) -> Int? { lanes.firstIndex { $0.name == queue } }

  private func ticket(
    _ file: File, _ priority: Double, _ host: String, _ deadline: MonotonicInstant? = nil
  ) -> Ticket {
    let standing = standings[file]
    return Ticket(
      file: file, priority: standing?.priority ?? priority, rank: standing?.rank ?? file, host: host, deadline: deadline
    )
  }

  /// Whether a file has not begun, or waits for its next attempt.
  func holds(_ file: File) -> Bool { file < isWaiting.count && isWaiting[file] }

  /// Whether nothing runs and nothing waits.
  var isIdle: Bool { running == 0 && !isWaiting.contains(true) }

  /// Whether files are on their way or may begin at once.
  var isBusy: Bool {
    mutating get {
      settle()
      return running > 0 || lanes.contains { !$0.ready.isEmpty && !heldQueues.contains($0.name) }
    }
  }

  /// Takes a file out that has not begun or waits for its next attempt.
  mutating func remove(_ file: File) {
    guard holds(file) else { return }
    note(file, isWaiting: false)
    unsettled.insert(file)
  }

  /// Gives a file another place, now and whenever it comes back.
  mutating func stand(_ file: File, priority: Double?, rank: Int?) {
    let known = standings[file]
    standings[file] = (priority ?? known?.priority, rank ?? known?.rank)
    if holds(file) { unsettled.insert(file) }
  }

  /// Puts the tickets of unsettled files into their places.
  private mutating func settle() {
    guard !unsettled.isEmpty else { return }
    let files = unsettled
    unsettled = []
    for lane in lanes.indices { lanes[lane].insert(lanes[lane].take(files).compactMap(renewed)) }
    delayed = delayed.compactMap { entry in
      guard files.contains(entry.ticket.file) else { return entry }
      return renewed(entry.ticket).map { Delayed(ticket: $0, lane: entry.lane, until: entry.until) }
    }
  }

  private func renewed(_ old: Ticket) -> Ticket? {
    holds(old.file) ? ticket(old.file, old.priority, old.host, old.deadline) : nil
  }

  /// Lets another number of a queue's files run at once from now on.
  mutating func setLimit(_ limit: Int, of queue: QueueName) {
    if let lane = lane(queue) { lanes[lane].limit = limit }
  }

  /// A slot is free again.
  mutating func end(_ entry: FileEntry) {
    if let lane = lane(entry.queue) { lanes[lane].running -= 1 }
    running -= 1
  }

  /// Nobody asks this host before the moment; an earlier end of a present hold does not shorten it.
  /// `statusCode` is what it answered.
  mutating func hold(host: String, until: MonotonicInstant, statusCode: Int? = nil) {
    guard hostHolds[host].map({ $0.until < until }) ?? true else { return }
    hostHolds[host] = (until, statusCode)
  }

  /// How much longer nobody asks this host; nil where it may be asked.
  func remainingPause(of host: String, _ now: MonotonicInstant) -> HostPause? {
    guard !hostHolds.isEmpty, let (until, statusCode) = hostHolds[host], until > now else { return nil }
    return HostPause(
      host: host, length: .nanoseconds(until.nanoseconds - now.nanoseconds), statusCode: statusCode)
  }

  /// Nothing of these queues begins until they are released.
  mutating func hold(_ queues: Set<QueueName>) { heldQueues.formUnion(queues) }

  mutating func release(_ queues: Set<QueueName>) { heldQueues.subtract(queues) }

  /// The files of held queues that would be next.
  var front: [File] {
    mutating get {
      settle()
      return lanes.filter { heldQueues.contains($0.name) }.flatMap { lane in
        lane.ready.prefix(max(0, lane.limit - lane.running)).map(\.file)
      }
    }
  }

  /// Nothing begins any more.
  mutating func close() {
    isClosed = true
    delayed.removeAll()
    soonest = nil
    isWaiting.removeAll()
    unsettled = []
    for index in lanes.indices { lanes[index].ready.removeAll() }
  }

  /// The next file to begin; a started one counts as running.
  mutating func next(_ now: MonotonicInstant) -> Next {
    settle()
    releaseDelayed(now)
    guard running < limit else { return .waitForEnd }
    for lane in lanes.indices {
      var hopeless: [Hopeless] = []
      let ticket = take(from: lane, now, &hopeless)
      guard hopeless.isEmpty else {
        // What was taken beside them comes first the next time.
        if let ticket { lanes[lane].insert(ticket) }
        for ticket in hopeless { isWaiting[ticket.file] = false }
        return .giveUp(hopeless)
      }
      guard let ticket else { continue }
      lanes[lane].running += 1
      running += 1
      isWaiting[ticket.file] = false
      return .start(ticket.file)
    }
    if let soonest { return .waitUntil(soonest) }
    let isIdle = lanes.allSatisfy { $0.ready.isEmpty }
    return running == 0 && isIdle ? .finished : .waitForEnd
  }

  private mutating func delay(_ ticket: Ticket, _ lane: Int, _ until: MonotonicInstant) {
    delayed.append(Delayed(ticket: ticket, lane: lane, until: until))
    soonest = min(until, soonest ?? until)
  }

  /// Looks at them only when one of them is due: there may be ten thousand of a host that wants to be left alone.
  private mutating func releaseDelayed(_ now: MonotonicInstant) {
    guard let first = soonest, first <= now || delayed.isEmpty else { return }
    for entry in delayed where entry.until <= now { lanes[entry.lane].insert(entry.ticket) }
    delayed.removeAll { $0.until <= now }
    soonest = delayed.lazy.map(\.until).min()
  }

  /// The most urgent file of a queue whose host may be asked; those whose host may not wait aside.
  private mutating func take(
    from lane: Int, _ now: MonotonicInstant, _ hopeless: inout [Hopeless]
  ) -> Ticket? {
    guard heldQueues.isEmpty || !heldQueues.contains(lanes[lane].name) else { return nil }
    while lanes[lane].running < lanes[lane].limit, let ticket = lanes[lane].ready.popFirst() {
      guard let pause = remainingPause(of: ticket.host, now) else { return ticket }
      let end = now.advanced(by: pause.length.inNanoseconds)
      if end >= ticket.deadline ?? now.advanced(by: lanes[lane].patience) {
        hopeless.append(Hopeless(file: ticket.file, pause: pause))
      } else {
        delay(ticket, lane, end)
      }
    }
    return nil
  }
}
