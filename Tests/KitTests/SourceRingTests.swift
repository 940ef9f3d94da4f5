import DLSyncModel
import Testing

@testable import DLSyncKit

/// Which of a file's URLs is asked next.
@Suite("Source ring") struct SourceRingTests {
  private func ring(_ mirrors: String...) throws -> SourceRing {
    var settings = FileSettings()
    settings.mirrors = try mirrors.map { try SourceURL("http://\($0)/f") }
    return SourceRing(
      FileEntry(
        scope: Scope("s"), url: try SourceURL("http://own/f"), destination: try Destination("/d/f", root: "/"),
        options: FileOptions(settings)))
  }

  private let lost = DLSyncError(.connectionLost, "it is gone")
  private let full = DLSyncError(.diskFull, "no room")
  private let wrong = DLSyncError(.checksumMismatch, "it is wrong")

  @Test func mirrorsAreAskedInTheirOrderAndThenAllAgain() throws {
    var ring = try ring("m1", "own", "m2")
    var asked = [ring.url.host]
    for _ in 0..<5 {
      _ = ring.moveOn(after: lost, mayPass: true)
      asked.append(ring.url.host)
    }
    #expect(asked == ["own", "m1", "m2", "own", "m1", "m2"])
    #expect(ring.asides == 4)
    #expect(ring.cause(wrong) == lost)
  }

  @Test func aRoundBeginsWithWhomMayBeAskedSoonest() throws {
    var ring = try ring("m1", "m2")
    for _ in 0..<3 { _ = ring.moveOn(after: lost, mayPass: true) }
    ring.begin { $0.host == "own" ? .seconds(9) : .zero }
    #expect(ring.url.host == "m1", "in their order")
    for _ in 0..<2 { _ = ring.moveOn(after: lost, mayPass: true) }
    ring.begin { ["own": .seconds(9), "m1": .seconds(3)][$0.host] ?? .seconds(2) }
    #expect(ring.url.host == "m2", "where all are paused")
    ring.begin { _ in .zero }
    #expect(ring.url.host == "m2", "only a round has a beginning")
  }

  @Test func whatCannotHelpIsNotAskedAgain() throws {
    var ring = try ring("m1", "m2")
    let turn1 = ring.moveOn(after: wrong, mayPass: false)
    #expect(turn1)
    #expect(ring.url.host == "m1" && !ring.isOwn)
    let turn2 = ring.moveOn(after: lost, mayPass: true)
    #expect(turn2)
    let turn3 = ring.moveOn(after: wrong, mayPass: false)
    #expect(!turn3)
    #expect(ring.url.host == "m1")
    #expect(ring.cause(wrong) == lost)
    let turn4 = ring.moveOn(after: wrong, mayPass: false)
    #expect(!turn4)
    #expect(ring.cause(wrong) == wrong)
  }

  @Test func aFileWithoutMirrorsHasOneSourceForEver() throws {
    var ring = try ring()
    let turn5 = ring.moveOn(after: wrong, mayPass: false)
    #expect(!turn5)
    #expect(ring.cause(wrong) == wrong && ring.isOwn && ring.asides == 0)
    #expect(ring.verdict(wrong) == wrong)
  }

  @Test func mirrorsOfOtherOriginsMayServeBesideTheOneThatIsAsked() throws {
    var ring = try ring("m1", "own", "m2", "m1:80")
    #expect(ring.others.map(\.host) == ["m1", "m2"])
    _ = ring.moveOn(after: lost, mayPass: true)
    #expect(ring.others.map(\.host) == ["own", "m2"])
    ring.drop(try SourceURL("http://m2/f"))
    #expect(ring.others.map(\.host) == ["own"] && ring.url.host == "m1")
    ring.drop(ring.url)
    #expect(ring.url.host == "m1")
  }

  @Test func troubleOfThisMachineTurnsToNobodyElse() throws {
    for code in [ErrorCode.diskFull, .permissionDenied, .fileSystem, .resourceTimeout, .interrupted] {
      var ring = try ring("m1")
      let turn6 = ring.moveOn(after: DLSyncError(code, "x"), mayPass: false)
      #expect(!turn6, "\(code)")
      #expect(ring.isOwn, "\(code)")
    }
  }

  @Test func theErrorOfTheOwnURLIsToldFirst() throws {
    var ring = try ring("m1")
    _ = ring.moveOn(after: wrong, mayPass: false)
    _ = ring.moveOn(after: lost, mayPass: false)
    let verdict = ring.verdict(lost)
    #expect(verdict.code == .checksumMismatch)
    #expect(verdict.message.contains(wrong.message) && verdict.message.contains(lost.message))
    #expect(ring.verdict(wrong) == verdict, "whoever failed last")
    #expect(ring.verdict(full) == full, "that is no server's")
  }
}
