internal import Glibc

/// The steps of the durable order at which a test may stop and kill the process.
///
/// Nothing happens unless `DLSYNC_CHECKPOINT` names a step: then the process writes the file `DLSYNC_CHECKPOINT_FILE` when it
/// gets there, and waits to be killed.
enum Checkpoint: String, CaseIterable, Sendable {
  case planRecorded, partCreated, bytesReceived, verified, dataFlushed, intentRecorded, moved, publishedRecorded
}

/// The one checkpoint that this run stops at, if any.
struct Checkpoints: Sendable {
  private let wanted: Checkpoint?
  private let file: String

  init(environment: [String: String]) {
    wanted = environment["DLSYNC_CHECKPOINT"].flatMap(Checkpoint.init(rawValue:))
    file = environment["DLSYNC_CHECKPOINT_FILE"] ?? ""
  }

  /// Goes on at once, unless this is the wanted step.
  func reach(_ checkpoint: Checkpoint) {
    guard checkpoint == wanted else { return }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    while true { pause() }
  }
}
