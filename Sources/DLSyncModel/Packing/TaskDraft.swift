/// The numbers of a task that is about to be packed.
package struct TaskDraft {
  package var id: TaskID
  package var state: TaskState
  package var priority: Double
  package var published: RecordedFile?
  package var intent: RecordedFile?
  package var confirmedBytes: ByteCount
  package var totalBytes: ByteCount?
  package var listMark: Int64
  package var checkedAt: Timestamp?
  /// Whether the record says of the manifest's entry just what the manifest says.
  package var isAsWanted = false

  package init(
    id: TaskID, state: TaskState, priority: Double, published: RecordedFile?, intent: RecordedFile?,
    confirmedBytes: ByteCount, totalBytes: ByteCount?, listMark: Int64, checkedAt: Timestamp?
  ) {
    self.id = id
    self.state = state
    self.priority = priority
    self.published = published
    self.intent = intent
    self.confirmedBytes = confirmedBytes
    self.totalBytes = totalBytes
    self.listMark = listMark
    self.checkedAt = checkedAt
  }
}
