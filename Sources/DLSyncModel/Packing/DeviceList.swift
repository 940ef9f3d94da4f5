/// The file systems of many entries, by device number. Neighbours mostly share one, so they are kept as stretches.
public struct DeviceList: Sendable, ExpressibleByArrayLiteral {
  private struct Stretch {
    let device: UInt64
    /// The number of entries up to its end.
    var end: Int
  }

  private var stretches: [Stretch] = []

  /// Nothing is known of any entry.
  public init() {}

  /// One for each entry.
  public init(arrayLiteral devices: UInt64...) {
    for device in devices { append(device) }
  }

  /// How many entries there are.
  public var count: Int { stretches.last?.end ?? 0 }

  /// The device of an entry; 0 where that is not known.
  public subscript(entry: Int) -> UInt64 {
    var (lower, upper) = (0, stretches.count - 1)
    while lower < upper {
      let middle = (lower + upper) / 2
      if stretches[middle].end > entry { upper = middle } else { lower = middle + 1 }
    }
    return stretches[lower].device
  }

  /// Adds the next entry.
  public mutating func append(_ device: UInt64) {
    if let last = stretches.last, last.device == device {
      stretches[stretches.count - 1].end += 1
    } else {
      stretches.append(Stretch(device: device, end: count + 1))
    }
  }
}
