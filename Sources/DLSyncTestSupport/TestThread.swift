import DLSyncSystem
import DLSyncThreading
import Glibc

/// Threads of the test support. They may block; nothing here runs on Swift's cooperative pool.
enum TestThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that nobody joins.
  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 * 1024)
    let argument = Unmanaged.passRetained(Body(body)).toOpaque()
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, argument)
    pthread_attr_destroy(&attributes)
    precondition(status == 0, "a thread could not be started: errno \(status)")
  }
}

/// Held while descriptors are made that a child must not inherit, and while a child is started: Glibc hides `pipe2` and
/// `accept4`, so the close-on-exec mark comes a moment late. It guards no value; a Boolean stands in, because an empty
/// value has the address of the object itself, which the thread sanitizer takes for a race.
let descriptorLock = Locked(true)

/// Marks a descriptor as not for children. Called with `descriptorLock` held.
func closeOnExec(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

/// Trouble of the test's surroundings, never of what is tested.
package struct SupportError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }

  /// What failed, and the system's word for why.
  package static func system(_ what: String) -> SupportError {
    SupportError("\(what): \(SystemTrouble.last.record)")
  }
}
