/// What becomes of a file.
public enum PlanAction: String, CaseIterable, Sendable {
  /// Its bytes are asked for.
  case download
  /// It is there, or can be copied from what is.
  case reuse
  /// It cannot be made so without losing something, or makes no sense.
  case conflict
}

/// Why: one reason for each row of the decision table.
public enum PlanReason: String, CaseIterable, Sendable {
  // download

  /// No record, and nothing at the destination.
  case new
  /// Recorded as completed, and nothing is at the destination.
  case missing
  /// Confirmed chunks can be continued.
  case resume
  /// It failed or was interrupted, and there is nothing to continue.
  case retry
  /// URL or checksum differ from the record, and the destination holds what dlsync published: it is replaced.
  case changed
  /// A refresh is due; whether bytes travel is the server's answer.
  case stale
  /// A conflict that `onConflict: replace` settles.
  case replace
  /// Held back by request, to be gone on with when it is resumed.
  case suspended
  /// Ended by request.
  case canceled

  // reuse

  /// Recorded as completed, with the same parameters, and its bytes are unchanged.
  case unchanged
  /// No record, but what is at the destination has the declared checksum.
  case adopted
  /// The same bytes are under another destination or in the cache.
  case copied
  /// A conflict that `onConflict: keep` settles.
  case kept

  // conflict

  /// Somebody else's file is there, and no checksum vouches for it.
  case destinationExists
  /// dlsync published the file, and it was changed since.
  case destinationModified
  /// Two entries, or another queue or manifest, claim the destination.
  case destinationConflict
  /// Two entries of one queue have one URL and differ in what they want.
  case duplicateTaskConflict
  /// Settings of the queue differ that may not change while it is running.
  case configurationConflict
  /// A folder, a special file, or a path that cannot be a file's.
  case destinationInvalid
}
