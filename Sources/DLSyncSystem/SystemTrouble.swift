import Glibc

/// What the system says about a call that failed.
package struct SystemTrouble: Error, Hashable, Sendable {
  /// errno(3).
  package let number: Int32

  /// Takes the number; errno as it is where none is given.
  package init(_ number: Int32 = errno) { self.number = number }

  /// `permission denied`.
  package var text: String { SystemText.of(number) }
}
