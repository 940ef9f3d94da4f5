internal import DLSyncModel
internal import DLSyncThreading

extension Schedule {
  /// The files of one queue that may begin.
  struct Lane {
    let name: QueueName
    /// How long one file may take, waits included.
    let patience: Int64
    var limit: Int
    var running = 0
    /// Descending by urgency: the first one goes first.
    var ready: ArraySlice<Ticket> = []

    /// Few come to their places one by one; most of those that come late have the last one.
    mutating func insert(_ tickets: [Ticket]) {
      guard tickets.count <= 64 else {
        ready += tickets
        return ready.sort { $1.isLessUrgent(than: $0) }
      }
      for ticket in tickets { insert(ticket) }
    }

    /// Takes files out, all of them in one pass.
    mutating func take(_ files: Set<File>) -> [Ticket] {
      let taken = ready.filter { files.contains($0.file) }
      if !taken.isEmpty { ready.removeAll { files.contains($0.file) } }
      return taken
    }

    mutating func insert(_ ticket: Ticket) {
      guard let last = ready.last, last.isLessUrgent(than: ticket) else { return ready.append(ticket) }
      var (lower, upper) = (ready.startIndex, ready.endIndex)
      while lower < upper {
        let middle = lower + (upper - lower) / 2
        if ready[middle].isLessUrgent(than: ticket) { upper = middle } else { lower = middle + 1 }
      }
      ready.insert(ticket, at: lower)
    }
  }

  /// A file with what its place depends on.
  struct Ticket {
    let file: File
    let priority: Double
    /// The place among equals: the manifest's, or the one that a command gave.
    let rank: Int
    let host: String
    /// When the time of one that has begun is over.
    var deadline: MonotonicInstant?

    func isLessUrgent(than other: Ticket) -> Bool {
      priority != other.priority
        ? priority < other.priority : rank != other.rank ? rank > other.rank : file > other.file
    }
  }

  /// One that may not begin before a moment.
  struct Delayed {
    let ticket: Ticket
    /// The place of its queue.
    let lane: Int
    let until: MonotonicInstant
  }
}
