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
    let pieces = (count + piece - 1) / piece
    let work = Work(count: pieces) {
      var state = makeState()
      return { index in body(&state, index * piece..<min(count, (index + 1) * piece)) }
    }
    let thread = pieces > 1 ? start(work) : nil
    work.run()
    if let thread { pthread_join(thread, nil) }
    return work.results
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

  func run() {
    let worker = makeWorker()
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < count else { return }
      let result = worker(index)
      done.withLock { $0[index] = result }
    }
  }

  /// After all threads have ended.
  var results: [Piece] { done.withLock { $0.compactMap { $0 } } }
}

private func parallelMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, nil)
  Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().work.run()
  return nil
}
