import DLSyncModel
import Testing

@testable import DLSyncStore

/// What is kept closely packed, or passed over, because there may be a million of it.
@Suite struct ManyFilesTests {
  let folder = StateFolder()

  @Test func aStateIsTheSameWhetherOrNotTheManifestIsAtHand() async throws {
    let store = try await folder.open()
    let entries = (0..<300).map {
      Sample.entry("d\($0 % 5)/\($0)", "https://h.example/\($0)", checksums: [Sample.digest(UInt8($0 & 255))])
    }
    let files = entries.enumerated().map {
      $0 % 3 == 0 ? Sample.download($1) : Sample.reuse($1, settles: Sample.published(7))
    }
    try await store.record(Sample.plan(files), now: Sample.now)
    // Another order, some of them gone, some asked for elsewhere.
    let manifest = entries.reversed().enumerated().compactMap { index, entry in
      index % 7 == 0
        ? nil : index % 7 == 1 ? Sample.entry(entry.destination.relativePath, "https://h.example/new") : entry
    }
    let plain = try await store.state(of: Sample.scope).tasks
    let shared = try await store.state(of: Sample.scope, files: manifest).tasks
    #expect(plain.count == entries.count && shared.count == entries.count)
    for (entry, (one, other)) in zip(entries, zip(plain, shared)) {
      #expect(one.id == entry.id && other.id == entry.id && one.state == other.state)
      for task in [one, other] {
        #expect(task.destination == entry.destination.path && task.url == entry.url.text)
        #expect(task.checksums == entry.checksums)
      }
      #expect(one.published == other.published)
    }
  }

  @Test func newFilesAmongFinishedOnesAreRecordedInAnyPlace() async throws {
    let store = try await folder.open()
    let old = (0..<200).map { Sample.entry("\($0)", "https://h.example/\($0)") }
    try await store.record(Sample.plan(old.map { Sample.reuse($0, settles: Sample.published(1)) }), now: Sample.now)
    var plan = old.enumerated().map { $0 == 150 ? Sample.download($1, .missing) : Sample.reuse($1) }
    for (place, index) in [0, 60, 61, 202].enumerated() {
      plan.insert(Sample.download(Sample.entry("new\(place)", "https://h.example/n\(place)")), at: index)
    }
    for _ in 0..<2 {
      #expect(try await store.record(Sample.plan(plan), now: Sample.now) == [])
      let tasks = try await store.state(of: Sample.scope).tasks
      #expect(tasks.count == 204)
      let waiting = Set(tasks.filter { $0.state == .waiting }.map(\.destination))
      #expect(waiting == ["/out/150", "/out/new0", "/out/new1", "/out/new2", "/out/new3"])
      #expect(tasks.filter { $0.state == .completed }.count == 199)
    }
  }
}
