internal import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading

/// Queues whose files may not travel while the network is metered (`network.allowMetered: false`).
struct FrugalQueues {
  let queues: Set<QueueName>
  /// Whether the network is known to be metered.
  var isNetworkMetered = false
}

/// Their lanes of the schedule are held until somebody says, or nobody can say, whether the network is metered.
extension Execution {
  /// How often NetworkManager is asked.
  private static let interval: Int64 = 2_000_000_000

  func watchNetwork() async {
    let inquiry = NetworkInquiry(environment: environment, executor: executor)
    while !Task.isCancelled, !schedule.isClosed {
      let cost = await inquiry.ask()
      guard !Task.isCancelled, !schedule.isClosed else { return }
      if cost == .metered { keepOff() } else { goOn() }
      await executor.sleep(until: MonotonicInstant.now.advanced(by: Self.interval))
    }
  }

  /// The network costs: nothing begins, and what runs stops and waits, with its confirmed chunks.
  private func keepOff() {
    guard !frugal.isNetworkMetered else { return }
    frugal.isNetworkMetered = true
    schedule.hold(frugal.queues)
    for name in frugal.queues.sorted(by: { $0.text < $1.text }) {
      relay.send(
        .warning(file: nil, "the files of the queue \"\(name)\" wait: the network is metered"))
    }
    for file in schedule.front { tellWait(of: file, from: .waiting) }
    for job in jobs.values
    where job.state == .running && frugal.queues.contains(job.queue.name) && job.wish == nil {
      job.wish = .waiting
      job.cancel.cancel()
    }
  }

  private func goOn() {
    frugal.isNetworkMetered = false
    schedule.release(frugal.queues)
    wakeUp()
  }

  /// Why a file of this queue waits, beyond its place in the line.
  func reasonToWait(_ queue: QueueName) -> DLSyncError? {
    guard frugal.isNetworkMetered, frugal.queues.contains(queue) else { return nil }
    return DLSyncError(
      .networkNotAllowed,
      "the network is metered, and the queue \"\(queue)\" waits until it is not",
      hint: "`network.allowMetered: true` would let it go on", .init(isRetryable: true))
  }

  private func tellWait(of file: Int, from state: TaskState) {
    let entry = plan.files[file].entry
    guard let error = reasonToWait(entry.queue) else { return }
    relay.send(.stateChanged(StateChange(file: file, from: state, to: .waiting, error: error)))
    journal.add(.state(entry.id, .waiting, error: error), for: entry.id)
  }
}
