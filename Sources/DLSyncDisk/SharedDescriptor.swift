import DLSyncSystem
import DLSyncThreading
import Glibc

/// A descriptor that several threads use and one of them closes: the number is given back to the system when the last
/// call that uses it is over, so that it never names another file.
final class SharedDescriptor: Sendable {
  private struct State {
    let descriptor: Int32
    var users = 0
    var isClosing = false
    var isOver: Bool { isClosing && users == 0 }
  }

  private let state: Locked<State>

  init(_ descriptor: Int32) { state = Locked(State(descriptor: descriptor)) }

  deinit { close() }

  /// Runs a call with the descriptor. After `close` that is EBADF.
  func use<Value>(_ body: (Int32) throws(SystemTrouble) -> Value) throws(SystemTrouble) -> Value {
    let descriptor = state.withLock { state -> Int32? in
      guard !state.isClosing else { return nil }
      state.users += 1
      return state.descriptor
    }
    guard let descriptor else { throw SystemTrouble(EBADF) }
    defer { leave() }
    return try body(descriptor)
  }

  /// Refuses further use, and closes when the present ones are over. Any number of times.
  func close() {
    let descriptor = state.withLock { state -> Int32? in
      guard !state.isClosing else { return nil }
      state.isClosing = true
      return state.isOver ? state.descriptor : nil
    }
    if let descriptor { Glibc.close(descriptor) }
  }

  private func leave() {
    let descriptor = state.withLock { state -> Int32? in
      state.users -= 1
      return state.isOver ? state.descriptor : nil
    }
    if let descriptor { Glibc.close(descriptor) }
  }
}
