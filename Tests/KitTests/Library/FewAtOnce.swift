import Testing

/// Lets a bounded number of tests run at once, over all suites that have it: a process has 64 places for open queues, and on
/// a busy machine more tests than that are under way.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
  private static let places = Places(16)

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await Self.places.enter()
    do {
      try await function()
      await Self.places.leave()
    } catch {
      await Self.places.leave()
      throw error
    }
  }
}

extension Trait where Self == FewAtOnce {
  /// See `FewAtOnce`.
  static var fewAtOnce: Self { FewAtOnce() }
}

private actor Places {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func enter() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
