internal import DLSyncModel

/// A file that a command took out of the run. It may come back until the run ends.
struct ParkedFile {
  let state: TaskState
  /// What is to be told at the end of the run; nil where the plan held the file back already.
  var outcome: FileOutcome?
}

/// What a run keeps of files that commands changed or took out of it.
struct CommandedFiles {
  /// Those that a command took out of the run, or that the plan held back.
  var parked: [Int: ParkedFile] = [:]
  /// Those whose entry a command changed, as they are now.
  var revised: [Int: FilePlan] = [:]
  /// What travelled for a file before a command took it out.
  var fetchedBefore: [Int: ByteCount] = [:]
  /// Those that left the run with chunks that are worth going on from when they come back.
  var reopening: Set<Int> = []
}

extension Execution {
  /// What is to be done of a file, as commands left it.
  func planned(_ file: Int) -> FilePlan { commanded.revised[file] ?? plan.files[file] }
}
