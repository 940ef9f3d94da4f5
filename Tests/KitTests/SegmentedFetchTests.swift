import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import DLSyncTestTransport
import DLSyncThreading
import DLSyncTransfer
import Testing

@testable import DLSyncKit

/// One file over several requests, against a scripted server on the real executor.
@Suite struct SegmentedFetchTests {
  private static let size = 1 << 20
  private static let data = payload(count: size, seed: 11)

  @Test(arguments: [1, 2, 4, 8, 16]) func everyByteComesOnceOverAnyNumberOfConnections(connections: Int) async throws {
    let file = try ScriptedFile(Self.data)
    let (end, received) = await file.fetch(connections: connections)
    #expect(end.length == Int64(Self.size))
    #expect(received == Int64(Self.size) && file.progress.value == received)
    #expect(try await file.isWhole())
    #expect(connections == 1 ? file.requests.count == 1 : file.requests.count >= connections)
  }

  @Test func firstRequestAsksForTheWholeAndTheOthersProveThemselves() async throws {
    let file = try ScriptedFile(Self.data)
    _ = await file.fetch(connections: 4)
    let requests = file.requests
    #expect(requests[0] == nil)
    for range in requests.dropFirst() {
      #expect(range?.validator == .entityTag(ScriptedFile.tag) && range?.total == Int64(Self.size))
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func connectionsThatBreakCostNoByteTwice(seed: UInt64) async throws {
    let random = Locked(SeededGenerator(seed: seed))
    let file = try ScriptedFile(Self.data) { request, _ in
      let roll = random.withLock { Int.random(in: 0..<100, using: &$0) }
      guard request.range != nil, roll < 40 else { return nil }
      let count = random.withLock { Int.random(in: 0...200_000, using: &$0) }
      return ScriptedFile.answer(
        Self.data, request.range, pause: .milliseconds(1), ending: .lost, only: count)
    }
    var end = FetchEnd.cancelled
    var received: Int64 = 0
    for _ in 0..<50 where end.length == nil {
      let present = file.part.present
      let (next, bytes) = await file.fetch(connections: 4, present: present)
      end = next
      received += bytes
      #expect(next.error == nil || next.error?.code == .connectionLost, "seed \(seed)")
    }
    #expect(end.length == Int64(Self.size) && received == Int64(Self.size), "seed \(seed)")
    #expect(try await file.isWhole(), "seed \(seed)")
  }

  @Test(arguments: [403, 408, 429, 500, 503]) func refusedConnectionsLowerTheirNumber(status: Int) async throws {
    let file = try ScriptedFile(Self.data) { request, _ in
      request.range == nil ? nil : ScriptedFile.refusal(status)
    }
    let (end, received) = await file.fetch(connections: 8)
    #expect(end.length == Int64(Self.size) && received == Int64(Self.size))
    #expect(file.requests.count <= 8, "the first connection goes on through what the others were refused")
    #expect(try await file.isWhole())
  }

  @Test func wholeResourceOnAnAdditionalConnectionEndsThatConnection() async throws {
    let file = try ScriptedFile(Self.data) { request, count in
      count == 0 ? nil : ScriptedFile.answer(Self.data, nil, pause: .milliseconds(1))
    }
    let (end, received) = await file.fetch(connections: 4)
    #expect(end.length == Int64(Self.size) && received == Int64(Self.size))
    #expect(file.requests.count == 4)
    #expect(try await file.isWhole())
  }

  @Test(arguments: [400, 401, 404, 407, 410, 501])
  func whatOnlyAdditionalConnectionsAreToldFailsNothing(status: Int) async throws {
    let file = try ScriptedFile(Self.data) { request, count in
      count == 0 ? nil : ScriptedFile.refusal(status)
    }
    let (end, received) = await file.fetch(connections: 4)
    #expect(end.length == Int64(Self.size) && received == Int64(Self.size))
    #expect(file.requests.count <= 4 && file.requests.count > 1)
    #expect(try await file.isWhole())
  }

  @Test(arguments: [ErrorCode.tlsFailed, .redirectRefused, .proxyFailed, .protocolError, .encodingUnsupported])
  func troubleOfAnAdditionalConnectionIsItsOwn(code: ErrorCode) async throws {
    let file = try ScriptedFile(Self.data) { request, count in
      guard count > 0 else { return nil }
      var answer = ScriptedFile.refusal(500)
      answer.ending = .failure(DLSyncError(code, "no"))
      return answer
    }
    let (end, _) = await file.fetch(connections: 4)
    #expect(end.length == Int64(Self.size))
    #expect(try await file.isWhole())
  }

  @Test func troubleThatIsNoServersEndsTheAttempt() async throws {
    let file = try ScriptedFile(Self.data) { request, count in
      guard count > 0 else { return nil }
      var answer = ScriptedFile.refusal(500)
      answer.ending = .failure(DLSyncError(.diskFull, "no"))
      return answer
    }
    #expect(await file.fetch(connections: 4).end.error?.code == .diskFull)
  }

  @Test func otherResourceOnAnAdditionalConnectionEndsTheAttempt() async throws {
    let other = payload(count: Self.size, seed: 12)
    let file = try ScriptedFile(Self.data) { request, count in
      count == 0 ? nil : ScriptedFile.answer(other, request.range, tag: "\"v2\"")
    }
    let (end, _) = await file.fetch(connections: 4)
    #expect(end.error?.code == .resourceChanged)
  }

  @Test func wrongRangeEndsTheAttempt() async throws {
    let file = try ScriptedFile(Self.data) { request, count in
      guard let range = request.range else { return nil }
      let shifted = RangeRequest(
        lower: range.lower + 10, upper: range.upper, validator: range.validator, total: range.total)
      return ScriptedFile.answer(Self.data, shifted)
    }
    #expect(await file.fetch(connections: 4).end.error?.code == .rangeInvalid)
  }

  @Test(arguments: [1, 4]) func holesAloneAreFetchedOfWhatIsPartlyThere(connections: Int) async throws {
    let present = [ByteRange(0, 100_000), ByteRange(300_000, 300_001), ByteRange(500_000, 900_000)]
    let file = try ScriptedFile(Self.data)
    try file.put(present)
    let (end, received) = await file.fetch(connections: connections, present: present)
    #expect(end.length == Int64(Self.size))
    #expect(received == Int64(Self.size) - 500_001)
    #expect(try await file.isWhole())
    let first = file.requests.first ?? nil
    #expect(first?.lower == 100_000 && first?.upper == 300_000)
  }

  @Test func islandsDoNotCountWhenTheServerSendsTheWhole() async throws {
    let other = payload(count: Self.size, seed: 13)
    let file = try ScriptedFile(other) { request, _ in ScriptedFile.answer(other, nil) }
    let present = [ByteRange(0, 100_000), ByteRange(500_000, 900_000)]
    try file.put(present)
    let (end, received) = await file.fetch(connections: 1, present: present)
    #expect(end.length == Int64(Self.size) && received == Int64(Self.size) && file.progress.value == received)
    #expect(try await file.isWhole())
  }

  @Test func holeAtTheStartIsNotFilledFromAWholeThatKeepsTheIslands() async throws {
    let file = try ScriptedFile(Self.data) { request, count in count == 0 ? ScriptedFile.answer(Self.data, nil) : nil }
    let island = [ByteRange(500_000, 900_000)]
    try file.put(island)
    let (end, received) = await file.fetch(connections: 1, present: island)
    #expect(end.length == Int64(Self.size) && received == Int64(Self.size))
  }

  @Test func nothingIsMissingWhenTheServerSaysSo() async throws {
    let file = try ScriptedFile(Self.data)
    let whole = [ByteRange(0, Int64(Self.size))]
    try file.put(whole)
    let (end, received) = await file.fetch(connections: 4, present: whole)
    #expect(end.length == Int64(Self.size) && received == 0)
    #expect(file.requests.count == 1)
  }

  @Test func changedResourceIsNotJoined() async throws {
    let file = try ScriptedFile(Self.data) { request, _ in
      ScriptedFile.answer(Self.data, request.range, tag: "\"v2\"")
    }
    let present = [ByteRange(0, 100_000)]
    try file.put(present)
    let (end, received) = await file.fetch(connections: 1, present: present)
    #expect(end.error?.code == .resourceChanged && received == 0)
    #expect(file.part.present == present)
  }

  @Test func weakResourceStaysOnOneConnection() async throws {
    let file = try ScriptedFile(Self.data) { request, _ in
      ScriptedFile.answer(Self.data, request.range, tag: "W/\"v1\"", pause: .milliseconds(1))
    }
    let (end, _) = await file.fetch(connections: 4)
    #expect(end.length == Int64(Self.size) && file.requests.count == 1)
  }

  @Test func cancelledFileEndsAsCancelled() async throws {
    let file = try ScriptedFile(Self.data) { request, _ in
      ScriptedFile.answer(Self.data, request.range, ending: .silence, only: 50_000)
    }
    async let result = file.fetch(connections: 4)
    while file.progress.value < 100_000 { try await Task.sleep(for: .milliseconds(2)) }
    file.cancel.cancel()
    guard case .cancelled = await result.end else {
      Issue.record("it went on")
      return
    }
  }
}

/// How a file is cut into chunks.
@Suite struct ChunkGridTests {
  @Test(
    arguments: [
      (1 << 20, 50 << 30, 1 << 20), (1 << 20, 100_000 << 20, 1 << 20), (1 << 20, (100_000 << 20) + 1, 2 << 20),
      (65536, 7_000_000_000, 131_072), (3 << 20, 400 << 30, 8 << 20), (100_000, 5, 99_968),
      (16 << 20, 100_000 << 24, 16 << 20),
    ] as [(Int64, Int64, Int64)])
  func theNextSizeThatFitsIsTaken(configured: Int64, total: Int64, size: Int64) throws {
    #expect(try ChunkGrid.size(configured: ByteCount(configured), total: total) == size)
  }

  @Test func tooManyChunksAreAnError() {
    let error = #expect(throws: DLSyncError.self) {
      try ChunkGrid.size(configured: ByteCount(1 << 20), total: (100_000 << 24) + 1)
    }
    #expect(error?.code == .chunkLimitExceeded)
  }

  @Test func wholeChunksAreThoseWithinOneRange() {
    let ranges = [ByteRange(0, 250), ByteRange(260, 399), ByteRange(400, 700)]
    #expect(ChunkGrid.wholeChunks(in: ranges, size: 100) == 2 + 0 + 3)
  }
}
