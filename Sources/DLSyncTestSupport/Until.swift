import Glibc

/// Looks every few milliseconds until something is so, for at most twenty seconds; whether it came to be so.
package func until(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<4000 {
    if try condition() { return true }
    usleep(5000)
  }
  return false
}
