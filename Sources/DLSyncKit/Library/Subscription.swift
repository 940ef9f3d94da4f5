internal import DLSyncModel
internal import DLSyncThreading

/// One reader's place with the hub, given up with the last reference.
final class Subscription: Sendable {
  let box: UpdateBox
  private let hub: UpdateHub
  private let number: UInt64

  init(_ box: UpdateBox, number: UInt64, hub: UpdateHub) {
    self.box = box
    self.number = number
    self.hub = hub
  }

  deinit { hub.unsubscribe(number, from: box.task) }
}

/// What a reader has not read yet. Of each task's progress only the latest is kept.
final class UpdateBox: Sendable {
  private struct Content {
    var updates: [DownloadUpdate] = []
    /// How many of these were read.
    var read = 0
    /// Where the last progress of a task stands that no change of its state follows.
    var progress: [TaskID: Int] = [:]
    var isFinished = false
    /// Who waits for more: one, unless a sequence is read in several places at once.
    var readers: [CheckedContinuation<Void, Never>] = []

    mutating func takeReaders() -> [CheckedContinuation<Void, Never>] {
      defer { readers = [] }
      return readers
    }

    /// The next one that nobody has read.
    mutating func next() -> DownloadUpdate? {
      guard read < updates.count else { return nil }
      let update = updates[read]
      if case .progress(let id, _) = update { progress[id] = nil }
      read += 1
      if read == updates.count || read == 1024 {
        updates.removeFirst(read)
        progress = progress.mapValues { $0 - read }
        read = 0
      }
      return update
    }
  }

  /// The one task that is told of; nil for all.
  let task: TaskID?
  private let content = Locked(Content())

  init(task: TaskID?) { self.task = task }

  /// Takes an update; answers the readers to be woken, once the caller holds no lock.
  func put(_ update: DownloadUpdate) -> [CheckedContinuation<Void, Never>] {
    content.withLock { content -> [CheckedContinuation<Void, Never>] in
      guard !content.isFinished else { return [] }
      switch update {
      case .finished:
        guard task == nil else { return [] }
        content.updates.append(update)
      case .state(let id, let state, _):
        guard task == nil || task == id else { return [] }
        content.progress[id] = nil
        content.updates.append(update)
        if task != nil, state.isTerminal { content.isFinished = true }
      case .progress(let id, _):
        guard task == nil || task == id else { return [] }
        if let place = content.progress[id] {
          content.updates[place] = update
        } else {
          content.progress[id] = content.updates.count
          content.updates.append(update)
        }
      }
      return content.takeReaders()
    }
  }

  /// Nothing comes after what is there.
  func finish() {
    let readers = content.withLock { content in
      content.isFinished = true
      return content.takeReaders()
    }
    for reader in readers { reader.resume() }
  }

  /// The next update, as soon as there is one; nil at the end, or when the reader is cancelled. Whoever reads next goes on
  /// behind it.
  func next() async -> DownloadUpdate? {
    while !Task.isCancelled {
      let isFinished = content.withLock { $0.isFinished }
      if let update = nextNow() { return update }
      if isFinished { return nil }
      await waitForMore()
    }
    return nil
  }

  /// The same, nil also where there is none at the moment.
  func nextNow() -> DownloadUpdate? { content.withLock { $0.next() } }

  private func waitForMore() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = content.withLock { content in
          if content.read < content.updates.count || content.isFinished || Task.isCancelled { return true }
          content.readers.append(continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      for reader in content.withLock({ $0.takeReaders() }) { reader.resume() }
    }
  }
}
