import DLSyncModel
import DLSyncPlanner
import Testing

/// What a plan says beyond single files: queues, orphans, selection, space.
@Suite struct RunTests {
  private func stored(_ configuration: QueueConfiguration, running: Int32? = nil) -> StoredQueue {
    let settings = Dictionary(uniqueKeysWithValues: configuration.settings.map { ($0.key, $0.value) })
    return StoredQueue(name: .default, settings: settings, runningProcess: running)
  }

  private func configuration(_ change: (inout QueueConfiguration) -> Void) -> QueueConfiguration {
    var configuration = QueueConfiguration()
    change(&configuration)
    return configuration
  }

  @Test func queuesAreCreatedUpdatedOrLeftAlone() {
    var world = World([entry()])
    #expect(world.plan().queues.map(\.action) == [.create])
    world.stored.queues = [stored(QueueConfiguration(), running: 5)]
    #expect(world.plan().queues.map(\.action) == [.unchanged])
    world.queues = [QueueDeclaration(.default, configuration { ($0.concurrency, $0.rate) = (9, ByteCount(5)) })]
    world.stored.queues = [stored(QueueConfiguration())]
    let plan = world.plan()
    #expect(plan.queues.map(\.action) == [.update])
    #expect(plan.queues[0].changes == ["concurrency", "rate"])
    #expect(plan.decisions == ["download/new"])
  }

  @Test func aRunningQueueTakesWhatMayChangeAtAnyTime() {
    var world = World([entry()])
    world.stored.queues = [stored(QueueConfiguration(), running: 5)]
    world.queues = [
      QueueDeclaration(.default, configuration { ($0.concurrency, $0.retry.maxAttempts) = (9, 7) })
    ]
    #expect(world.plan().queues.map(\.action) == [.update])
    #expect(world.plan().decisions == ["download/new"])
  }

  @Test func aRunningQueueRefusesOtherChangesAndSoDoItsFiles() {
    let other = QueueName("other")
    var world = World([entry("x"), entry("y", url: "http://h/b", queue: other)])
    world.stored.queues = [stored(QueueConfiguration(), running: 4711)]
    world.queues = [
      QueueDeclaration(.default, configuration { ($0.chunkSize, $0.concurrency) = (ByteCount(65536), 9) }),
      QueueDeclaration(other, QueueConfiguration()),
    ]
    let plan = world.plan()
    #expect(plan.queues.map(\.action) == [.conflict, .create])
    #expect(plan.decisions == ["conflict/configurationConflict", "download/new"])
    #expect(plan.files[0].error?.message.contains("4711") ?? false)
    #expect(plan.files[0].error?.message.contains("chunkSize") ?? false)
  }

  @Test func aSettingThatAnOlderVersionDidNotRecordHadItsDefault() {
    var world = World([entry()])
    world.stored.queues = [StoredQueue(name: .default, settings: [:], runningProcess: nil)]
    #expect(world.plan().queues.map(\.action) == [.unchanged])
  }

  @Test func recordsThatNoEntryNamesAreOrphansInAFixedOrder() {
    let records = [
      record(at: "c"), record(at: "a", url: "http://h/a?token=SECRET"), record(.removed, at: "r"), record(at: "f"),
    ]
    let plan = World([entry("f")], records: records).plan()
    #expect(plan.orphans.map(\.destination) == ["/root/a", "/root/c"])
    #expect(plan.orphans[0].url == "http://h/a?token=…")
  }

  @Test func anEntryThatMovesToAnotherQueueKeepsItsFile() {
    let world = World(
      [entry("f", queue: QueueName("q"))], records: [record(at: "f", published: published(1))], [.file(identity())])
    let plan = world.plan()
    #expect(plan.decisions == ["reuse/unchanged"])
    #expect(plan.orphans.isEmpty)
  }

  @Test func ofSeveralRecordsOfOnePlaceTheEntrysOwnCounts() {
    let old = record(at: "f", queue: QueueName("old"), published: published(9))
    let own = record(at: "f", published: published(1))
    for records in [[old, own], [own, old]] {
      let plan = World([entry("f", checksums: [digest(1)])], records: records, [.file(identity())]).plan()
      #expect(plan.decisions == ["reuse/unchanged"])
      #expect(plan.orphans.isEmpty, "its file would be pruned")
    }
  }

  @Test func selectionDecidesWhatIsShownOnly() {
    let files = [
      entry("p/a"), entry("q/b", url: "http://h/x/b", queue: QueueName("q")), entry("p/a", url: "http://h/c"),
    ]
    var world = World(files, records: [record(at: "gone"), record(at: "q/b")])
    let whole = world.plan()
    world.options.selection = Selection(patterns: [GlobPattern("p/*")])
    #expect(world.plan().decisions == [whole.decisions[0], whole.decisions[2]])
    #expect(world.plan().orphans == whole.orphans)
    world.options.selection = Selection(queues: [QueueName("q")])
    #expect(world.plan().decisions == [whole.decisions[1]])
    #expect(world.plan().queues.isEmpty)
    for pattern in ["q/*", "/root/q/b", "http://h/x/*", "**/b"] {
      world.options.selection = Selection(patterns: [GlobPattern(pattern)])
      #expect(world.plan().files.map(\.entry.destination.path) == ["/root/q/b"], "\(pattern)")
    }
  }

  @Test func whatCannotFitIsSaidForEachFileSystem() {
    var world = World([
      entry("small/a", size: 100), entry("big/b", url: "http://h/b", size: 5000), entry("c", url: "http://h/c"),
    ])
    world.survey.devices = [1, 2, 2]
    world.survey.freeSpace = [1: ByteCount(50), 2: ByteCount(1 << 30)]
    let warnings = world.plan().warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("\"/root/small\"") ?? false)
    #expect(warnings.first?.contains("50 B") ?? false)
    world.survey.freeSpace[1] = ByteCount(100)
    #expect(world.plan().warnings.isEmpty)
  }

  @Test func whatIsCopiedOrReusedNeedsNoSpaceFromTheNetwork() {
    var world = World([entry("a", size: 60), entry("b", size: 60)])
    world.survey.devices = [1, 1]
    world.survey.freeSpace = [1: ByteCount(100)]
    #expect(world.plan().warnings.isEmpty)
  }
}
