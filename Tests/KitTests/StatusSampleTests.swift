import DLSyncModel
import Testing

@testable import DLSyncKit

/// What running processes told of their tasks.
@Suite struct StatusSampleTests {
  @Test(arguments: [(100, 100), (300, 300), (0, 100)]) func bytesAreNeverLessThanThoseOfChunks(
    told: Int64, shown: Int64
  ) {
    let (scope, queue) = (Scope("m"), QueueName.default)
    var task = TaskSnapshot(
      id: TaskID(scope: scope, queue: queue, destination: "/a"), scope: scope, queue: queue, url: "http://h/a",
      destination: "/a", state: .running, createdAt: Timestamp(seconds: 0))
    task.completedBytes = ByteCount(100)
    task.lastSample = ProgressSample(completed: ByteCount(told), total: ByteCount(400), bytesPerSecond: 7)
    var lane = QueueSnapshot(name: queue, scope: scope, settings: [])
    lane.completedBytes = ByteCount(150)
    lane.runningProcess = 1
    var status = StatusSnapshot(tasks: [task], queues: [lane])
    status.takeSamples()
    #expect(status.tasks[0].completedBytes == ByteCount(shown) && status.tasks[0].bytesPerSecond == 7)
    #expect(status.queues[0].completedBytes == ByteCount(50 + shown))
  }
}
