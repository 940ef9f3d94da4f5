import CPosix

/// The clock of this machine.
package enum SystemClock {
  /// Whether something keeps it right, as the kernel was told; nil where that cannot be asked.
  package static var isKeptRight: Bool? {
    switch dl_adjtimex_is_kept() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
