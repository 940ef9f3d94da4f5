import DLSyncModel
import DLSyncTestSupport
import DLSyncTestTransport
import DLSyncThreading
import DLSyncTransfer
import Testing

@testable import DLSyncKit

/// One file from several servers at once.
@Suite struct MirrorSegmentTests {
  private static let size = 1 << 20
  private static let data = payload(count: size, seed: 21)
  private static let mirror = "http://mirror.test/a"

  /// A server and a mirror whose answers a script may change; counts the requests of each.
  private final class Servers: Sendable {
    let asked = Locked<[String: Int]>([:])
    typealias Answer = @Sendable (TransferRequest, Int) -> ScriptedTransport.Answer?

    func file(own: @escaping Answer = { _, _ in nil }, mirror: @escaping Answer = { _, _ in nil })
      throws -> ScriptedFile
    {
      try ScriptedFile(MirrorSegmentTests.data, pause: .milliseconds(1)) { [asked] request, count in
        asked.withLock { $0[request.url.host, default: 0] += 1 }
        return request.url.text == MirrorSegmentTests.mirror
          ? mirror(request, count) : own(request, count)
      }
    }

    func count(_ host: String) -> Int { asked.withLock { $0[host] ?? 0 } }
  }

  private static func answer(_ request: TransferRequest, tag: String, _ bytes: [UInt8] = MirrorSegmentTests.data)
    -> ScriptedTransport.Answer
  {
    ScriptedFile.answer(bytes, request.range, tag: tag, pause: .milliseconds(1))
  }

  @Test(arguments: [2, 4, 8]) func hostsShareAFileThatTheirValidatorProves(connections: Int)
    async throws
  {
    let servers = Servers()
    let file = try servers.file()
    let (end, received) = await file.fetch(connections: connections, mirrors: [Self.mirror])
    #expect(end.length == Int64(Self.size) && received == Int64(Self.size))
    #expect(servers.count("scripted.test") > 0 && servers.count("mirror.test") > 0)
    #expect(file.contributions.withLock { !$0.isEmpty } && file.joins.value == 0)
    #expect(try await file.isWhole())
  }

  @Test func oneConnectionAsksOneHost() async throws {
    let servers = Servers()
    let file = try servers.file()
    let (end, _) = await file.fetch(connections: 1, mirrors: [Self.mirror])
    #expect(end.length == Int64(Self.size) && servers.count("mirror.test") == 0)
  }

  @Test func mirrorWithAnotherTagJoinsOnlyWhereAChecksumProvesTheWhole() async throws {
    for provesWhole in [false, true] {
      let servers = Servers()
      let file = try servers.file(mirror: { request, _ in Self.answer(request, tag: "\"other\"") })
      let (end, _) = await file.fetch(
        connections: 4, mirrors: [Self.mirror], provesWhole: provesWhole)
      #expect(end.length == Int64(Self.size))
      #expect(file.contributions.withLock { $0.isEmpty } != provesWhole)
      #expect((file.joins.value > 0) == provesWhole)
      if !provesWhole { #expect(servers.count("mirror.test") == 1) }
      #expect(try await file.isWhole())
    }
  }

  @Test(arguments: ["404", "503", "whole", "shifted", "longer", "lost"])
  func troubleOfAMirrorIsItsOwn(kind: String) async throws {
    let servers = Servers()
    let file = try servers.file(mirror: { request, _ in
      guard let range = request.range else { return nil }
      switch kind {
      case "404": return ScriptedFile.refusal(404)
      case "503": return ScriptedFile.refusal(503)
      case "whole": return ScriptedFile.answer(Self.data, nil)
      case "shifted":
        let shifted = RangeRequest(
          lower: range.lower + 9, upper: range.upper, validator: nil, total: range.total)
        return ScriptedFile.answer(Self.data, shifted)
      case "longer": return ScriptedFile.answer(Self.data + [0], request.range)
      default: return ScriptedFile.answer(Self.data, request.range, ending: .lost, only: 100)
      }
    })
    let (end, _) = await file.fetch(connections: 4, mirrors: [Self.mirror], provesWhole: true)
    #expect(end.length == Int64(Self.size))
    #expect(servers.count("mirror.test") == 1)
    #expect(
      file.dismissed.withLock { $0 } == (["shifted", "longer"].contains(kind) ? [Self.mirror] : []))
    #expect(try await file.isWhole())
  }

  @Test func mirrorGoesOnWhenTheFirstSourceIsTired() async throws {
    let servers = Servers()
    let file = try servers.file(own: { request, count in
      count == 0
        ? ScriptedFile.answer(Self.data, nil, pause: .milliseconds(1), ending: .lost, only: 300_000)
        : ScriptedFile.refusal(503)
    })
    let (end, _) = await file.fetch(connections: 4, mirrors: [Self.mirror])
    #expect(end.length == Int64(Self.size))
    #expect(try await file.isWhole())
  }
}
