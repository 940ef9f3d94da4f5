import Glibc

/// The driver of a thread that has no work of its own: it sleeps until it is woken.
package final class WaitingDriver: ExecutorDriver, @unchecked Sendable {
  // Unchecked, proof: `isWoken` is touched only between lock and unlock of `mutex`; both pthread objects have stable
  // addresses from init to deinit.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isWoken = false

  package init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package func turn(timeout: Duration?) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if timeout == .zero { return isWoken = false }
    if let timeout {
      let (seconds, attoseconds) = timeout.components
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      let nanoseconds = Int64(end.tv_nsec) + attoseconds / 1_000_000_000
      end.tv_sec = end.tv_sec &+ Int(clamping: seconds) &+ Int(nanoseconds / 1_000_000_000)
      end.tv_nsec = Int(nanoseconds % 1_000_000_000)
      while !isWoken, pthread_cond_timedwait(condition, mutex, &end) == 0 {}
    } else {
      while !isWoken { pthread_cond_wait(condition, mutex) }
    }
    isWoken = false
  }

  /// Nothing: a turn does nothing but wait, so no job can come of it.
  package func noteJob() {}

  package func wake() {
    pthread_mutex_lock(mutex)
    isWoken = true
    pthread_mutex_unlock(mutex)
    pthread_cond_signal(condition)
  }
}
