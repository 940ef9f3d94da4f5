/// What the plan saw at a destination, to be checked again at the last moment.
public enum DestinationBasis: Hashable, Sendable {
  /// Nothing was there; publishing may replace nothing.
  case absent
  /// This file was there, and may be replaced or counted on as long as it is the same.
  case file(FileIdentity)
}

/// The decision for one file.
public struct FilePlan: Sendable {
  // Most files of most plans have none of these: one reference keeps a million decisions small.
  private final class Rare: Sendable {
    let copyOf: Int?
    let copyFrom: CopySource?
    let settles: PublishedFile?
    let error: DLSyncError?
    init(_ copyOf: Int?, _ copyFrom: CopySource?, _ settles: PublishedFile?, _ error: DLSyncError?) {
      self.copyOf = copyOf
      self.copyFrom = copyFrom
      self.settles = settles
      self.error = error
    }
  }

  private final class Seen: Sendable {
    let identity: FileIdentity
    init(_ identity: FileIdentity) { self.identity = identity }
  }

  /// What the plan saw at the destination. Most files of a second run are what their records say.
  private enum Sight: Sendable {
    case absent
    case recorded(TaskBlock)
    case file(Seen)
  }

  // The order keeps them close: 48 bytes.
  /// The file.
  public let entry: FileEntry
  /// Where the record begins in its block.
  private let recordOffset: Int32
  private let sight: Sight
  private let rare: Rare?
  /// -1 for none.
  private let byteCount: Int64
  /// What is to be done.
  public let action: PlanAction
  /// Why.
  public let reason: PlanReason
  /// Held back by request: apply leaves it alone.
  public let isHeld: Bool
  /// Whether permission bits must be set on the file that is there.
  public let appliesPermissions: Bool

  /// Whether the record says already all that a plan of this file records.
  package let isRecorded: Bool

  /// What was seen at the destination.
  public var basis: DestinationBasis {
    switch sight {
    case .absent: .absent
    case .file(let seen): .file(seen.identity)
    case .recorded(let block): block.publishedIdentity(Int(recordOffset)).map(DestinationBasis.file) ?? .absent
    }
  }

  /// What is to be fetched, where known.
  public var bytes: ByteCount? { byteCount < 0 ? nil : ByteCount(byteCount) }

  /// The index of the planned file whose bytes are the same: this one is copied from it when it is there, and fetched
  /// otherwise.
  public var copyOf: Int? { rare?.copyOf }
  /// A finished file outside the plan whose bytes are the same: like `copyOf`.
  public var copyFrom: CopySource? { rare?.copyFrom }
  /// SHA-256 of the file that is there and stays, where it is known. Made anew at each look.
  public var fingerprint: Digest? {
    if case .recorded(let block) = sight {
      block.published(Int(recordOffset))?.fingerprint
    } else {
      settles?.fingerprint
    }
  }

  /// Whether the bytes are to be copied from a file that is, or will be, here.
  package var isCopied: Bool { copyOf != nil || copyFrom != nil }
  /// The published file to be recorded without a transfer: adopted, re-identified, or settled after a crash.
  public var settles: PublishedFile? { rare?.settles }
  /// Whether there is one.
  package var isSettling: Bool { rare?.settles != nil }
  /// The conflict in words.
  public var error: DLSyncError? { rare?.error }

  /// Takes every part.
  public init(
    entry: FileEntry, action: PlanAction, reason: PlanReason, isHeld: Bool = false, bytes: ByteCount? = nil,
    basis: DestinationBasis = .absent, copyOf: Int? = nil, copyFrom: CopySource? = nil, settles: PublishedFile? = nil,
    appliesPermissions: Bool = false, error: DLSyncError? = nil
  ) {
    self.entry = entry
    self.action = action
    self.reason = reason
    self.isHeld = isHeld
    byteCount = bytes?.bytes ?? -1
    recordOffset = 0
    sight =
      switch basis {
      case .absent: .absent
      case .file(let identity): .file(Seen(identity))
      }
    isRecorded = false
    self.appliesPermissions = appliesPermissions
    let isPlain = copyOf == nil && copyFrom == nil && settles == nil && error == nil
    rare = isPlain ? nil : Rare(copyOf, copyFrom, settles, error)
  }

  /// A file that is there as it was recorded, and stays. `isRecorded` is false where the record may say less of the entry
  /// than its manifest.
  package init(entry: FileEntry, unchanged record: StoredTask, isRecorded: Bool? = nil) {
    self.entry = entry
    action = .reuse
    reason = .unchanged
    isHeld = false
    byteCount = -1
    recordOffset = Int32(record.start)
    sight = .recorded(record.block)
    self.isRecorded = isRecorded ?? record.block.isAsWanted(record.start)
    appliesPermissions = false
    rare = nil
  }
}

extension FilePlan {
  /// The same decision in a plan in which so many files stand before those that it was made with.
  package func shifted(by count: Int) -> FilePlan {
    guard let copyOf, count > 0 else { return self }
    return FilePlan(
      entry: entry, action: action, reason: reason, isHeld: isHeld, bytes: bytes, basis: basis,
      copyOf: copyOf + count, copyFrom: copyFrom, settles: settles, appliesPermissions: appliesPermissions,
      error: error)
  }

  /// The same decision for another entry of the same task.
  package func withEntry(_ entry: FileEntry) -> FilePlan {
    if case .recorded(let block) = sight {
      return FilePlan(entry: entry, unchanged: StoredTask(block, at: Int(recordOffset)), isRecorded: false)
    }
    return FilePlan(
      entry: entry, action: action, reason: reason, isHeld: isHeld, bytes: bytes, basis: basis, copyOf: copyOf,
      copyFrom: copyFrom, settles: settles, appliesPermissions: appliesPermissions, error: error)
  }

  /// The same decision, known to fail.
  package func failing(with error: DLSyncError) -> FilePlan {
    FilePlan(
      entry: entry, action: action, reason: reason, isHeld: isHeld, bytes: bytes, basis: basis, copyOf: copyOf,
      copyFrom: copyFrom, settles: settles, appliesPermissions: appliesPermissions, error: error)
  }
}

/// A finished file that dlsync published and that another destination can be copied from.
public struct CopySource: Hashable, Sendable {
  /// Where it is, an absolute path.
  public let path: String
  /// What it must still be; its fingerprint is the copy's as well.
  public let published: PublishedFile

  /// Takes a place and what must be there.
  public init(path: String, published: PublishedFile) {
    self.path = path
    self.published = published
  }
}
