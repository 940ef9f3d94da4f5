import DLSyncModel

/// States of tasks in the words of people: what no process is at work on does not run, whatever was recorded last.
struct StateWords {
  /// As wide as the longest word.
  static let columns = 11

  private static let interrupted = "interrupted"

  private struct Place: Hashable {
    let scope: Scope
    let queue: QueueName
  }

  private let served: Set<Place>

  init(_ queues: [QueueSnapshot]) {
    let running = queues.filter { $0.runningProcess != nil }
    served = Set(running.map { Place(scope: $0.scope, queue: $0.name) })
  }

  func isInterrupted(_ task: TaskSnapshot) -> Bool {
    switch task.state {
    case .running, .retrying, .verifying, .publishing:
      !served.contains(Place(scope: task.scope, queue: task.queue))
    default: false
    }
  }

  func word(_ task: TaskSnapshot) -> String { isInterrupted(task) ? Self.interrupted : task.state.rawValue }

  /// `1 running, 2 completed`: in the order of a task's life.
  func sum(_ tasks: [TaskSnapshot]) -> String {
    var counts: [String: Int] = [:]
    for task in tasks { counts[word(task), default: 0] += 1 }
    let words = TaskState.allCases.flatMap { $0 == .running ? [Self.interrupted, $0.rawValue] : [$0.rawValue] }
    return words.compactMap { word in counts[word].map { "\($0) \(word)" } }.joined(separator: ", ")
  }
}
