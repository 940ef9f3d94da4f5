import Synchronization

/// A number that one thread adds to and others sample: how progress leaves the transfer thread.
package final class Counter: Sendable {
  private let number: Atomic<Int64>

  package init(_ value: Int64 = 0) { number = Atomic(value) }

  package var value: Int64 { number.load(ordering: .relaxed) }

  package func add(_ amount: Int64) { number.add(amount, ordering: .relaxed) }

  package func set(_ value: Int64) { number.store(value, ordering: .relaxed) }
}
