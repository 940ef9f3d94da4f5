import DLSyncKit
import DLSyncModel
import DLSyncThreading

/// Notes when events come, and hands them on.
final class RunRecorder: RunObserver {
  private let next: any RunObserver
  private let begun = MonotonicInstant.now
  private let recorded = Locked(RunHistory())

  init(before next: any RunObserver) { self.next = next }

  var history: RunHistory { recorded.withLock { $0 } }

  func receive(_ events: [Event]) {
    let time = MonotonicInstant.now.seconds(since: begun)
    recorded.withLock { history in
      for event in events { history.apply(event, at: time) }
    }
    next.receive(events)
  }
}
