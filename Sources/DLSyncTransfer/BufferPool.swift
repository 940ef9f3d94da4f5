/// Blocks in which large bodies collect before they are written: 256 KiB a block, used again and again. Small bodies never
/// take one. Confined to the transfer thread.
final class BufferPool {
  static let blockSize = 256 * 1024
  private static let keptLimit = 64

  private var free: [UnsafeMutableRawPointer] = []

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
