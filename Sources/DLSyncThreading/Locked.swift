import Glibc

/// A value that several threads share, reachable only while its lock is held.
///
/// A pthread mutex in memory of its own instead of `Synchronization.Mutex`: the thread sanitizer sees the former and
/// reports races that are none for the latter. Nothing waits, resumes a continuation or calls out while the lock is held.
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked, proof: `value` is touched only in `withLock`, between lock and unlock of the one mutex; the mutex has a
  // stable address from init to deinit.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // The mutex excludes what the check would look for, and the check costs more than the lock.
  @exclusivity(unchecked) private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "a mutex could not be made: errno \(status)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs the body with the value while no other thread has it.
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
