import DLSyncModel
import DLSyncThreading
import DLSyncTransfer
import Testing

@testable import DLSyncKit

@Suite("Schedule")
struct ScheduleTests {
  private let start = MonotonicInstant(nanoseconds: 1_000)

  private func entry(_ name: String, queue: String = "default", priority: Double = 0.5, host: String = "h") throws
    -> FileEntry
  {
    FileEntry(
      scope: Scope("s"), url: try SourceURL("http://\(host)/\(name)"),
      destination: try Destination("/d/\(name)", root: "/"),
      queue: QueueName(queue), priority: priority)
  }

  private func queue(_ name: String = "default", concurrency: Int) -> QueueDeclaration {
    var configuration = QueueConfiguration()
    configuration.concurrency = concurrency
    return QueueDeclaration(QueueName(name), configuration)
  }

  /// Starts everything that may begin now.
  private func startAll(_ schedule: inout Schedule, at now: MonotonicInstant) -> [Int] {
    var started: [Int] = []
    while case .start(let file) = schedule.next(now) { started.append(file) }
    return started
  }

  @Test func higherPriorityGoesFirstAndEqualOnesInOrder() throws {
    var schedule = Schedule(queues: [queue(concurrency: 8)], limit: nil)
    let priorities = [0.1, 0.5, 0.5, 0.9]
    schedule.add(try priorities.enumerated().map { ($0, try entry("\($0)", priority: $1)) })
    #expect(startAll(&schedule, at: start) == [3, 1, 2, 0])
  }

  @Test func aQueueRunsNoMoreThanItsConcurrency() throws {
    var schedule = Schedule(queues: [queue(concurrency: 2)], limit: nil)
    let entries = try (0..<5).map { ($0, try entry("\($0)")) }
    schedule.add(entries)
    #expect(startAll(&schedule, at: start) == [0, 1])
    #expect(schedule.next(start) == .waitForEnd)
    schedule.end(entries[0].1)
    #expect(startAll(&schedule, at: start) == [2])
  }

  @Test func whoWaitsIsLookedAtWhenSomebodyIsDue() throws {
    var schedule = Schedule(queues: [queue(concurrency: 8)], limit: nil)
    let moments = (1...3).map { start.advanced(by: Int64($0) * 1_000) }
    for (file, moment) in moments.enumerated() {
      schedule.delay(file, try entry("\(file)"), host: "h\(file)", until: moment)
    }
    #expect(schedule.next(start) == .waitUntil(moments[0]))
    schedule.remove(0)
    // Nobody is due then any more; the next look tells who is.
    #expect(startAll(&schedule, at: moments[0]) == [])
    #expect(schedule.next(moments[0]) == .waitUntil(moments[1]))
    #expect(startAll(&schedule, at: moments[2]) == [1, 2])
    schedule.delay(3, try entry("3"), until: moments[2].advanced(by: 5))
    schedule.remove(3)
    #expect(schedule.next(moments[2]) == .waitForEnd)
  }

  @Test func theRunLimitCapsAllQueuesTogether() throws {
    var schedule = Schedule(queues: [queue("a", concurrency: 8), queue("b", concurrency: 8)], limit: 3)
    schedule.add(try (0..<4).map { ($0, try entry("\($0)", queue: $0.isMultiple(of: 2) ? "a" : "b")) })
    #expect(startAll(&schedule, at: start).count == 3)
  }

  @Test func heldQueueBeginsNothingUntilItIsReleased() throws {
    var schedule = Schedule(
      queues: [queue("a", concurrency: 2), queue("b", concurrency: 1)], limit: nil)
    schedule.hold([QueueName("a")])
    schedule.add(try (0..<4).map { ($0, try entry("\($0)", queue: $0 < 3 ? "a" : "b")) })
    #expect(schedule.front == [0, 1])
    #expect(startAll(&schedule, at: start) == [3])
    #expect(schedule.next(start) == .waitForEnd && !schedule.isIdle)
    schedule.release([QueueName("a")])
    #expect(startAll(&schedule, at: start) == [0, 1] && schedule.front == [])
  }

  @Test func aWaitingFileHoldsNoSlotAndComesBackAtItsTime() throws {
    var schedule = Schedule(queues: [queue(concurrency: 1)], limit: nil)
    let first = try entry("0")
    schedule.add([(0, first), (1, try entry("1"))])
    #expect(schedule.next(start) == .start(0))
    schedule.end(first)
    let later = start.advanced(by: 100)
    schedule.delay(0, first, until: later)
    #expect(schedule.next(start) == .start(1))
    schedule.end(try entry("1"))
    #expect(schedule.next(start) == .waitUntil(later))
    #expect(schedule.next(later) == .start(0))
  }

  @Test func aHostThatAskedForPeaceIsNotAskedByAnybody() throws {
    var schedule = Schedule(queues: [queue(concurrency: 4)], limit: nil)
    schedule.add([
      (0, try entry("0", host: "busy")), (1, try entry("1", host: "calm")), (2, try entry("2", host: "busy")),
    ])
    let later = start.advanced(by: 50)
    schedule.hold(host: "busy", until: later)
    schedule.hold(host: "busy", until: start)
    #expect(startAll(&schedule, at: start) == [1])
    #expect(startAll(&schedule, at: later) == [0, 2])
  }

  @Test func whoHasLittleTimeLeftDoesNotWaitForAHost() throws {
    var schedule = Schedule(queues: [queue("q", concurrency: 4)], limit: nil)
    let (soon, late) = (try entry("0", queue: "q", host: "busy"), try entry("1", queue: "q", host: "busy"))
    schedule.delay(0, soon, until: start, deadline: start.advanced(by: 40))
    schedule.delay(1, late, until: start, deadline: start.advanced(by: 60))
    schedule.stand(0, priority: 1, rank: nil)
    schedule.hold(host: "busy", until: start.advanced(by: 50))
    let pause = HostPause(host: "busy", length: .nanoseconds(50))
    #expect(schedule.next(start) == .giveUp([.init(file: 0, pause: pause)]))
    #expect(startAll(&schedule, at: start.advanced(by: 50)) == [1])
  }

  @Test func whoMayNotTakeSoLongDoesNotWaitForAHost() throws {
    var hasty = QueueConfiguration()
    hasty.timeouts.resource = .nanoseconds(50)
    var schedule = Schedule(
      queues: [QueueDeclaration(QueueName("hasty"), hasty), queue("calm", concurrency: 4)], limit: nil)
    schedule.add([
      (0, try entry("0", queue: "hasty", host: "busy")), (1, try entry("1", queue: "hasty", host: "busy")),
      (2, try entry("2", queue: "hasty", host: "other")), (3, try entry("3", queue: "calm", host: "busy")),
    ])
    let later = start.advanced(by: 50)
    schedule.hold(host: "busy", until: later, statusCode: 503)
    let pause = HostPause(host: "busy", length: .nanoseconds(50), statusCode: 503)
    #expect(
      schedule.next(start) == .giveUp([.init(file: 0, pause: pause), .init(file: 1, pause: pause)]))
    #expect(!schedule.holds(0) && !schedule.holds(1) && schedule.holds(2))
    #expect(startAll(&schedule, at: start) == [2])
    #expect(startAll(&schedule, at: later) == [3])
  }

  @Test func filesThatComeOneByOneStandWhereAllAtOnceWould() throws {
    var generator = SystemRandomNumberGenerator()
    let priorities = (0..<300).map { _ in Double(Int.random(in: 0...4, using: &generator)) / 4 }
    let files = try priorities.enumerated().map { (file: $0, entry: try entry("\($0)", priority: $1)) }
    var atOnce = Schedule(queues: [queue(concurrency: 64)], limit: nil)
    var single = atOnce
    atOnce.add(files)
    for file in files { single.add([file]) }
    func order(_ schedule: inout Schedule) -> [Int] {
      var order: [Int] = []
      while case .start(let file) = schedule.next(start) {
        order.append(file)
        schedule.end(files[file].entry)
      }
      return order
    }
    let expected = files.sorted { ($1.entry.priority, $0.file) < ($0.entry.priority, $1.file) }.map(\.file)
    #expect(order(&atOnce) == expected)
    #expect(order(&single) == expected)
  }

  @Test func filesThatAreGivenOtherPlacesGoInTheirOrder() throws {
    var generator = SystemRandomNumberGenerator()
    let files = try (0..<300).map { (file: $0, entry: try entry("\($0)", queue: $0 % 3 == 0 ? "b" : "a")) }
    var schedule = Schedule(queues: [queue("a", concurrency: 400), queue("b", concurrency: 400)], limit: nil)
    schedule.add(Array(files[..<200]))
    for (file, entry) in files[200...] { schedule.delay(file, entry, until: start) }
    var priorities = files.map { _ in 0.5 }
    var ranks = files.map(\.file)
    var gone: Set<Int> = []
    for _ in 0..<600 {
      let file = Int.random(in: 0..<300, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        schedule.remove(file)
        gone.insert(file)
      case 1 where gone.contains(file):
        schedule.add([files[file]])
        gone.remove(file)
      case 2, 3:
        priorities[file] = Double(Int.random(in: 0...4, using: &generator)) / 4
        schedule.stand(file, priority: priorities[file], rank: nil)
      case 4:
        ranks[file] = Int.random(in: -300..<600, using: &generator)
        schedule.stand(file, priority: nil, rank: ranks[file])
      default: #expect(schedule.isBusy && !schedule.isIdle && schedule.holds(file) == !gone.contains(file))
      }
    }
    let expected = files.filter { !gone.contains($0.file) }.sorted { one, other in
      if one.entry.queue != other.entry.queue { return one.entry.queue == QueueName("a") }
      return (priorities[other.file], ranks[one.file], one.file) < (priorities[one.file], ranks[other.file], other.file)
    }
    #expect(startAll(&schedule, at: start) == expected.map(\.file))
  }

  @Test func placesAndRemovalsOfManyCostNoMoreForEach() throws {
    func cost(_ count: Int, _ body: (inout Schedule, Int) -> Void) throws -> Duration {
      var schedule = Schedule(queues: [queue(concurrency: 8)], limit: nil)
      schedule.add(try (0..<count).map { ($0, try entry("\($0)")) })
      return ContinuousClock().measure {
        for file in (0..<count).reversed() { body(&schedule, file) }
        _ = schedule.next(start)
      }
    }
    // Quadratic, each would take a minute.
    #expect(try cost(30_000) { $0.stand($1, priority: nil, rank: 30_000 - $1) } < .seconds(3))
    #expect(try cost(30_000) { $0.remove($1) } < .seconds(3))
  }

  @Test func aFileIsHeldUntilItBeginsOrIsTakenOut() throws {
    var schedule = Schedule(queues: [queue(concurrency: 1)], limit: nil)
    let files = try (0..<4).map { (file: $0, entry: try entry("\($0)")) }
    schedule.add(files)
    #expect((0..<6).map(schedule.holds) == [true, true, true, true, false, false])
    #expect(schedule.next(start) == .start(0))
    schedule.remove(2)
    #expect((0..<4).map(schedule.holds) == [false, true, false, true])
    schedule.end(files[0].entry)
    schedule.delay(0, files[0].entry, until: start.advanced(by: 5))
    schedule.add([files[2]])
    #expect((0..<4).map(schedule.holds) == [true, true, true, true])
    schedule.close()
    #expect((0..<4).map(schedule.holds) == [false, false, false, false])
  }

  @Test func nothingBeginsAfterClosing() throws {
    var schedule = Schedule(queues: [queue(concurrency: 1)], limit: nil)
    let first = try entry("0")
    schedule.add([(0, first), (1, try entry("1"))])
    #expect(schedule.next(start) == .start(0))
    schedule.delay(2, try entry("2"), until: start)
    schedule.close()
    #expect(schedule.next(start) == .waitForEnd)
    schedule.end(first)
    #expect(schedule.next(start) == .finished)
  }

  @Test func everyFileStartsExactlyOnce() throws {
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
    var random = seed
    func roll(_ bound: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % bound
    }
    var schedule = Schedule(queues: [queue("a", concurrency: 3), queue("b", concurrency: 1)], limit: 3)
    let entries = try (0..<200).map {
      try entry("\($0)", queue: roll(2) == 0 ? "a" : "b", priority: Double(roll(4)) / 4, host: "h\(roll(3))")
    }
    schedule.add(Array(entries.enumerated()).map { ($0.offset, $0.element) })
    var now = start
    var running: [Int] = []
    var starts: [Int: Int] = [:]
    var ends = 0
    while ends < entries.count {
      switch schedule.next(now) {
      case .start(let file):
        running.append(file)
        starts[file, default: 0] += 1
        if roll(10) == 0 { schedule.hold(host: entries[file].url.host, until: now.advanced(by: Int64(roll(1000)))) }
      case .waitUntil(let moment): now = max(now, moment)
      case .giveUp: Issue.record("nobody is to be left alone for so long; seed \(seed)")
      case .waitForEnd, .finished:
        try #require(!running.isEmpty, "stuck; seed \(seed)")
        let file = running.remove(at: Int(roll(UInt64(running.count))))
        schedule.end(entries[file])
        ends += 1
      }
    }
    #expect(starts.values.allSatisfy { $0 == 1 } && starts.count == entries.count, "seed \(seed)")
    #expect(schedule.next(now) == .finished, "seed \(seed)")
  }
}
