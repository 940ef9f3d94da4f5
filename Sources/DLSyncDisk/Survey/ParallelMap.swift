import DLSyncThreading
import Glibc
import Synchronization

/// Runs work on two threads: the caller's and one more. More do not help where the kernel is the limit.
enum ParallelMap {
  /// Cuts `0..<count` into pieces and gives each to whichever thread is free. `makeState` is called once on each thread.
  /// The results come back in the order of the pieces.
  static func run<State, Piece: Sendable>(
    count: Int, piece: Int, makeState: @escaping @Sendable () -> State,
    _ body: @escaping @Sendable (inout State, Range<Int>) -> Piece
  ) -> [Piece] {
    var results: [Piece] = []
    run(count: count, piece: piece, makeState: makeState, body) { results.append($0) }
    return results
  }

  /// The same; `collect` gets the results one by one, in the order of the pieces and on the caller's thread, while others are
  /// still made.
  static func run<State, Piece: Sendable>(
    count: Int, piece: Int, makeState: @escaping @Sendable () -> State,
    _ body: @escaping @Sendable (inout State, Range<Int>) -> Piece, collect: (Piece) -> Void
  ) {
    let pieces = (count + piece - 1) / piece
    let work = Work(count: pieces) {
      var state = makeState()
      return { index in body(&state, index * piece..<min(count, (index + 1) * piece)) }
    }
    let thread = pieces > 1 ? start(work) : nil
    var collected = 0
    work.run {
      while let result = work.take(collected) {
        collect(result)
        collected += 1
      }
    }
    if let thread { pthread_join(thread, nil) }
    while let result = work.take(collected) {
      collect(result)
      collected += 1
    }
  }

  private static func start(_ work: any Runnable) -> pthread_t? {
    let box = Unmanaged.passRetained(Box(work))
    var thread = pthread_t()
    if pthread_create(&thread, nil, parallelMain, box.toOpaque()) == 0 { return thread }
    // No thread is to be had: the caller's does it all.
    box.release()
    return nil
  }
}

private protocol Runnable: Sendable { func run() }

private final class Box: Sendable {
  let work: any Runnable
  init(_ work: any Runnable) { self.work = work }
}

private final class Work<Piece: Sendable>: Runnable {
  private let next = Atomic<Int>(0)
  private let count: Int
  private let done: Locked<[Piece?]>
  private let makeWorker: @Sendable () -> (Int) -> Piece

  init(count: Int, makeWorker: @escaping @Sendable () -> (Int) -> Piece) {
    self.count = count
    self.makeWorker = makeWorker
    done = Locked([Piece?](repeating: nil, count: count))
  }

  func run() { run {} }

  /// Calls `after` behind each piece.
  func run(after: () -> Void) {
    let worker = makeWorker()
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < count else { return }
      let result = worker(index)
      done.withLock { $0[index] = result }
      after()
    }
  }

  /// Gives a result away, if it is made.
  func take(_ index: Int) -> Piece? {
    guard index < count else { return nil }
    return done.withLock { done in
      defer { done[index] = nil }
      return done[index]
    }
  }
}

private func parallelMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, nil)
  Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().work.run()
  return nil
}
