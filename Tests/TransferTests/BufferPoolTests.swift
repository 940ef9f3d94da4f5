import DLSyncModel
import Testing

@testable import DLSyncTransfer

@Suite("How much of a body is collected before it is written")
struct BufferPoolTests {
  @Test(arguments: [(1, 262_144), (8, 262_144), (9, 131_072), (33, 32_768), (1000, 32_768)])
  func shrinksAsTransfersGrow(_ transfers: Int, _ share: Int) {
    let pool = BufferPool()
    pool.transfers = transfers
    #expect(pool.share == share)
    #expect(pool.share(for: []) == share)
    #expect(pool.share(for: [RateLimit(bytesPerSecond: nil)]) == share, "no limit is set right now")
  }

  @Test(arguments: [(64_000, 16_384), (5_000_000, 25_000), (200_000_000, 262_144)])
  func isFiveMillisecondsWorthWhereTransfersArePaced(_ rate: Int64, _ share: Int) {
    let limits = [RateLimit(bytesPerSecond: .init(rate)), RateLimit(bytesPerSecond: .init(1 << 40))]
    #expect(BufferPool().share(for: limits) == share)
  }
}
