import Synchronization

/// A number that one thread adds to and others sample: how progress leaves the transfer thread.
package final class Counter: Sendable {
  private let number: Atomic<Int64>
  private let parent: Counter?

  /// What is added here is added to the parent as well; what is set is not.
  package init(_ value: Int64 = 0, parent: Counter? = nil) {
    number = Atomic(value)
    self.parent = parent
  }

  package var value: Int64 { number.load(ordering: .relaxed) }

  package func add(_ amount: Int64) {
    number.add(amount, ordering: .relaxed)
    parent?.add(amount)
  }

  package func set(_ value: Int64) { number.store(value, ordering: .relaxed) }
}
