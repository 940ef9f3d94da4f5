import DLSyncModel
import Testing

@testable import DLSyncStore

@Suite("Bytes of an unfinished transfer, and another URL for them")
struct ChangedURLTests {
  private let folder = StateFolder()
  private static let date = "Thu, 01 Jan 2026 00:00:00 GMT"
  private static let query = "https://h.example/dl?id=one"

  /// What is left of the record of a transfer that was interrupted under one URL when the plan names another.
  private func left(
    _ validator: String, from before: String, to after: String, checksums: [Digest] = [], _ reason: PlanReason = .resume
  ) async throws -> (validator: String?, hasPieces: Bool) {
    let store = try await folder.open()
    let old = Sample.entry("a", before, checksums: checksums)
    try await store.record(Sample.plan([Sample.download(old)]), now: Sample.now)
    let piece = ConfirmedPiece(range: ByteRange(0, 65_536), digest: Sample.digest(1), kind: .own)
    let response = ResponseRecord(
      statusCode: 200, finalURL: before, headers: [], isResumable: true, total: ByteCount(1 << 20), validator: validator
    )
    try await store.update(
      [.began(old.id, attempt: 1), .response(old.id, response), .confirmed(old.id, pieces: [piece])], now: Sample.now)
    let new = Sample.entry("a", after, checksums: checksums)
    try await store.record(Sample.plan([Sample.download(new, reason)]), now: Sample.now)
    return (try await store.responses(of: [old.id])[old.id]?.validator, try await store.pieces(of: [old.id]) != [:])
  }

  @Test func aDateProvesNothingOfAnotherQuery() async throws {
    let found = try await left(Self.date, from: Self.query, to: "https://h.example/dl?id=two")
    #expect(found.validator == nil && found.hasPieces)
  }

  @Test func anEntityTagDoes() async throws {
    let found = try await left("\"x\"", from: Self.query, to: "https://h.example/dl?id=two")
    #expect(found.validator == "\"x\"" && found.hasPieces)
  }

  @Test func aRenewedSignatureIsNoOtherResource() async throws {
    let found = try await left(
      Self.date, from: "https://h.example/a?X-Amz-Signature=1", to: "https://h.example/a?X-Amz-Signature=2")
    #expect(found.validator == Self.date && found.hasPieces)
  }

  @Test(arguments: [PlanReason.retry, .suspended])
  func anotherPathIsAnotherResource(_ reason: PlanReason) async throws {
    let found = try await left("\"x\"", from: Self.query, to: "https://h.example/other", reason)
    #expect(!found.hasPieces)
  }

  @Test func aChecksumProvesTheWholeWhateverTheURL() async throws {
    let found = try await left(
      Self.date, from: Self.query, to: "https://mirror.example/other", checksums: [Sample.digest(9)])
    #expect(found.hasPieces)
  }
}
