/// Blocks in which large bodies collect before they are written: 256 KiB a block, used again and again. Small bodies never
/// take one. Confined to the transfer thread.
package final class BufferPool {
  static let blockSize = 256 * 1024
  private static let keptLimit = 64
  /// As many transfers may hold whole blocks.
  private static let fewTransfers = 8
  private static let smallestShare = 32 * 1024

  /// Transfers on their way.
  var transfers = 0

  private var free: [UnsafeMutableRawPointer] = []

  package init() {}

  /// How much of a body is collected, and read from its connection at once: the more transfers there are, the less, so that
  /// all of them together hold a few MiB.
  var share: Int {
    var share = Self.blockSize
    var few = Self.fewTransfers
    while transfers > few, share > Self.smallestShare { (share, few) = (share / 2, few * 2) }
    return share
  }

  /// The same for a transfer that is paced: at most five milliseconds' worth, so that what is written is as even as what
  /// comes in.
  func share(for limits: [RateLimit]) -> Int {
    guard let rate = limits.compactMap(\.rate).min() else { return share }
    return min(share, max(Int(min(rate / 200, 1e9)), Self.smallestShare / 2))
  }

  func take() -> UnsafeMutableRawPointer {
    free.popLast() ?? .allocate(byteCount: Self.blockSize, alignment: 4096)
  }

  func give(_ block: UnsafeMutableRawPointer) {
    if free.count < Self.keptLimit { free.append(block) } else { block.deallocate() }
  }

  deinit {
    for block in free { block.deallocate() }
  }
}
