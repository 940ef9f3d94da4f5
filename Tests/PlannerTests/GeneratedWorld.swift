import DLSyncModel
import DLSyncPlanner
import DLSyncTestSupport

/// The same numbers for a seed on every machine.
struct Dice {
  private var generator: SeededGenerator
  init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func roll(_ sides: Int) -> Int { Int(generator.next() % UInt64(sides)) }

  mutating func pick<Element>(_ from: [Element]) -> Element { from[roll(from.count)] }
}

extension World {
  /// A small world in which names, URLs and bytes collide often.
  static func generated(_ seed: UInt64) -> World {
    var dice = Dice(seed)
    var world = World([])
    for line in 0..<(1 + dice.roll(12)) { world.add(line, &dice) }
    if dice.roll(4) == 0 { world.options.onConflict = dice.pick(ConflictPolicy.allCases) }
    world.options.hashesEverything = dice.roll(5) == 0
    return world
  }

  private mutating func add(_ line: Int, _ dice: inout Dice) {
    let folder = dice.pick(["", "", "d/", "p0/"])
    let path = folder + "p\(dice.roll(9))"
    let bytes = UInt8(dice.roll(3))
    let url = "http://h/\(dice.roll(5))"
    let sums: [[Digest]] = [[], [], [digest(bytes)], [digest(bytes, .md5)], [digest(bytes, .md5), digest(bytes)]]
    let file = entry(
      path, url: url, queue: QueueName(dice.pick(["default", "default", "q"])), checksums: dice.pick(sums),
      permissions: dice.pick([nil, nil, 0o600]), onConflict: dice.pick([.fail, .fail, .keep, .replace]),
      line: Int32(line))
    files.append(file)
    survey.observations.append(.absent)
    if let same = files.dropLast().firstIndex(where: { $0.destination == file.destination }) {
      survey.observations[line] = survey.observations[same]
      self.bytes[line] = self.bytes[same]
      return
    }
    seen(line, &dice)
    recorded(line, &dice)
  }

  private mutating func seen(_ line: Int, _ dice: inout Dice) {
    switch dice.roll(8) {
    case 0...3:
      let moment: Int64 = dice.pick([900, 900, 900, 950])
      survey.observations[line] = .file(identity(UInt64(line), modified: moment, changed: moment))
      bytes[line] = dice.roll(9) == 0 ? nil : UInt8(dice.roll(3))
    case 4: survey.observations[line] = dice.pick([.symbolicLink, .folder, .special("socket"), .nameTooLong])
    default: break
    }
  }

  private mutating func recorded(_ line: Int, _ dice: inout Dice) {
    guard dice.roll(3) > 0 else { return }
    let file = files[line]
    let known = published(
      bytes[line] ?? 1, identity(UInt64(line)), at: dice.pick([longAgo, longAgo, Timestamp(seconds: 900)]))
    let state = dice.pick(TaskState.allCases)
    let hasFile = state == .completed || dice.roll(2) == 0
    stored.tasks.append(
      record(
        state, at: file.destination.path, url: dice.pick([file.url.text, "http://h/old"]), queue: file.queue,
        checksums: dice.pick([[], file.checksums]), published: hasFile ? known : nil,
        intent: state == .publishing && dice.roll(2) == 0 ? known : nil,
        confirmed: state == .completed ? 0 : Int64(dice.roll(3) * 50)))
  }

  /// The world after every file of a plan came out as it should.
  func applying(_ plan: Plan) -> World {
    var after = self
    for file in plan.files where file.action != .conflict && !file.isHeld && file.reason != .kept {
      let path = file.entry.destination.path
      let old = stored.tasks.last { $0.destination == path && $0.state != .removed }
      var known = file.settles ?? old?.published
      if file.action == .download || file.reason == .copied {
        known = published(
          file.entry.checksums.first?.bytes[0] ?? 7, identity(1000 + UInt64(file.entry.line)), at: later)
      }
      guard let known else { continue }
      after.stored.tasks.removeAll { $0.destination == path }
      after.stored.tasks.append(
        record(
          .completed, at: path, url: file.entry.url.text, queue: file.entry.queue, checksums: file.entry.checksums,
          published: known))
      for index in files.indices where files[index].destination.path == path {
        after.survey.observations[index] = .file(known.identity)
        after.bytes[index] = known.fingerprint.bytes[0]
      }
    }
    after.options.hashesEverything = false
    return after
  }
}

extension Plan {
  /// Everything of a plan as text, for comparison.
  var text: String {
    let lines = files.map { file in
      "\(file.entry.destination) \(file.decision) \(file.isHeld) \(String(describing: file.bytes)) \(file.basis) "
        + "\(String(describing: file.copyOf)) \(String(describing: file.settles)) \(String(describing: file.error))"
    }
    return (lines + orphans.map(\.destination) + warnings).joined(separator: "\n")
  }
}
