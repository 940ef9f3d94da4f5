package import DLSyncModel

/// One step of a file's life, to be recorded. A change of a task that is no longer recorded is no error: another process
/// removed it.
package enum TaskChange: Sendable {
  /// An attempt begins, counted from 1: `running`, and earlier trouble is forgotten. The first one sets the start time: the
  /// given one, or the moment of recording.
  case began(TaskID, attempt: Int, at: Timestamp? = nil)
  /// The task is in another state now, for this reason if it is trouble. Any but `publishing` also takes back an intent:
  /// the process that says so knows that it did not publish. `removed` forgets the record.
  case state(TaskID, TaskState, error: DLSyncError?)
  /// A server answered.
  case response(TaskID, ResponseRecord)
  /// These bytes are in the partial file, and this proves them: a claim, which is not believed before it is held against
  /// the bytes. A piece replaces the one that begins where it does.
  case confirmed(TaskID, pieces: [ConfirmedPiece])
  /// How far a running task is, about once a second, for other terminals. Forgotten when it does not run any more.
  case progress(TaskID, ProgressSample)
  /// The partial file no longer counts.
  case piecesDropped(TaskID)
  /// The file is about to be moved to its final name: `publishing`, unless the task was not recorded as running yet; then all
  /// of it is recorded at once after the move, and `keepsState` is true.
  case intent(TaskID, PublishedFile, keepsState: Bool = false)
  /// The file is durable at its final name: `completed`. `bytes` is its length. The pieces are kept, to tell later which
  /// part of a damaged file is still right, but no attempt builds upon them.
  case published(TaskID, PublishedFile, bytes: Int64)
  /// The server vouched for the published file: `completed`, as it was.
  case checked(TaskID)
  /// How the agent leaves a task that was handed over: in this state, after so many payload bytes, for this reason if it
  /// is trouble. Changes nothing of the task; nothing at all where it was not handed over.
  case left(TaskID, TaskState, fetched: ByteCount, error: DLSyncError?)
  /// The file that is there already is the one that is wanted: `completed` without a transfer.
  case settled(TaskID, PublishedFile)

  /// The task that it is about.
  package var id: TaskID {
    switch self {
    case .began(let id, _, _), .state(let id, _, _), .response(let id, _), .confirmed(let id, _), .progress(let id, _),
      .piecesDropped(let id), .intent(let id, _, _), .published(let id, _, _), .checked(let id), .left(let id, _, _, _),
      .settled(let id, _):
      id
    }
  }

  /// Whether a loss of power may undo it: what an attempt is about until it ends, and claims that are proved before they
  /// are believed. The next run finds out for itself what became of both.
  var mayBeLost: Bool {
    switch self {
    case .began, .response, .confirmed, .progress, .piecesDropped: true
    case .state, .intent, .published, .checked, .left, .settled: false
    }
  }

  /// Whether it is the beginning of a first attempt.
  package var isFirstBeginning: Bool { if case .began(_, attempt: 1, _) = self { true } else { false } }

  /// Whether it tells what a server answered.
  package var isOfServer: Bool { if case .response = self { true } else { false } }

  /// Whether it brings a fingerprint.
  var isPublished: Bool { if case .published = self { true } else { false } }
}
