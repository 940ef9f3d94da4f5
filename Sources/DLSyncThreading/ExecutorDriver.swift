/// What an executor's thread does when it has no job: wait, until there is one or until its own work calls.
///
/// `turn` is called on the thread alone; `wake` from any thread, and ends the present or the next `turn` early.
package protocol ExecutorDriver: AnyObject, Sendable {
  /// Does what is due of the driver's own work, then waits at most `timeout` (nil: until woken; zero: not at all).
  func turn(timeout: Duration?)
  func wake()
  /// The thread's own work made a job for it: called on the thread, within `turn` or outside. That turn may not wait.
  func noteJob()
}
