import DLSyncModel

/// What one file's own circumstances lead to, before other files are looked at.
struct Verdict {
  var action: PlanAction
  var reason: PlanReason
  var isHeld = false
  /// What was seen at the destination.
  var basis = DestinationBasis.absent
  /// The file that is there, where it is known to be what the manifest wants.
  var published: PublishedFile?
  /// Whether the record has to take that file over.
  var settles = false
  /// Bytes that need not be fetched again.
  var confirmed = ByteCount.zero
  var error: DLSyncError?

  static func download(
    _ reason: PlanReason, _ basis: DestinationBasis, confirmed: ByteCount = .zero, isHeld: Bool = false
  ) -> Verdict {
    Verdict(action: .download, reason: reason, isHeld: isHeld, basis: basis, confirmed: confirmed)
  }

  static func reuse(_ reason: PlanReason, _ file: PublishedFile, settles: Bool) -> Verdict {
    Verdict(action: .reuse, reason: reason, basis: .file(file.identity), published: file, settles: settles)
  }

  /// The file is as it should be, and the server may have a newer one.
  static func stale(_ file: PublishedFile) -> Verdict {
    Verdict(action: .download, reason: .stale, basis: .file(file.identity), published: file, settles: true)
  }

  static func conflict(_ refusal: Refusal, _ basis: DestinationBasis = .absent) -> Verdict {
    Verdict(action: .conflict, reason: refusal.reason, basis: basis, error: refusal.error)
  }

  /// Whether bytes are to come from somewhere, and a copy would do as well as the server.
  var isCopyable: Bool { action == .download && reason != .stale && !isHeld }
}

/// A verdict, or what must be read before there can be one.
enum Judgement {
  case verdict(Verdict)
  /// These digests of the file at the destination, without repetition.
  case question([DigestAlgorithm])
}

/// What is known of the bytes of a file that is there.
enum KnownDigests {
  /// Nobody has read it yet.
  case unread
  /// It was read, or could not be: then it has none.
  case read([DigestAlgorithm: Digest])
}
