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

  // The order keeps them close: small values fit behind `basis`.
  /// The file.
  public let entry: FileEntry
  private let rare: Rare?
  /// -1 for none.
  private let byteCount: Int64
  /// What was seen at the destination.
  public let basis: DestinationBasis
  /// What is to be done.
  public let action: PlanAction
  /// Why.
  public let reason: PlanReason
  /// Held back by request: apply leaves it alone.
  public let isHeld: Bool
  /// Whether permission bits must be set on the file that is there.
  public let appliesPermissions: Bool

  /// What is to be fetched, where known.
  public var bytes: ByteCount? { byteCount < 0 ? nil : ByteCount(byteCount) }

  /// The index of the planned file whose bytes are the same: this one is copied from it when it is there, and fetched
  /// otherwise.
  public var copyOf: Int? { rare?.copyOf }
  /// A finished file outside the plan whose bytes are the same: like `copyOf`.
  public var copyFrom: CopySource? { rare?.copyFrom }
  /// Whether the bytes are to be copied from a file that is, or will be, here.
  package var isCopied: Bool { copyOf != nil || copyFrom != nil }
  /// The published file to be recorded without a transfer: adopted, re-identified, or settled after a crash.
  public var settles: PublishedFile? { rare?.settles }
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
    self.basis = basis
    self.appliesPermissions = appliesPermissions
    let isPlain = copyOf == nil && copyFrom == nil && settles == nil && error == nil
    rare = isPlain ? nil : Rare(copyOf, copyFrom, settles, error)
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

/// What becomes of one queue's record.
public struct QueuePlan: Sendable {
  /// What is done with the record.
  public enum Action: String, Sendable {
    /// It is new.
    case create
    /// Some settings change.
    case update
    /// Nothing.
    case unchanged
    /// Settings differ that may not change while the queue is running.
    case conflict
  }
  /// The queue as the manifest declares it.
  public let declaration: QueueDeclaration
  /// What becomes of its record.
  public let action: Action
  /// The keys that change.
  public let changes: [String]

  /// Takes every part.
  public init(declaration: QueueDeclaration, action: Action, changes: [String] = []) {
    self.declaration = declaration
    self.action = action
    self.changes = changes
  }
}

/// A record that the manifest no longer names.
public struct Orphan: Hashable, Sendable {
  /// The task's identity.
  public let id: TaskID
  /// An absolute path.
  public let destination: String
  /// Redacted.
  public let url: String
  /// The queue that it was last planned in.
  public let queue: QueueName
  /// What dlsync put there, as far as that is recorded: the last file that it published, and one that it was about to.
  public let published: [PublishedFile]

  /// Takes every part.
  public init(
    id: TaskID, destination: String, url: String, queue: QueueName = .default, published: [PublishedFile] = []
  ) {
    self.id = id
    self.destination = destination
    self.url = url
    self.queue = queue
    self.published = published
  }
}

/// What apply would do: a value in a deterministic order, from which one execution is made.
public struct Plan: Sendable {
  /// The manifest's identity.
  public let scope: Scope
  /// The manifest as the user named it.
  public let source: String
  /// The declared queues, in the manifest's order.
  public let queues: [QueuePlan]
  /// In the manifest's order.
  public private(set) var files: [FilePlan]
  /// Ordered by destination.
  public let orphans: [Orphan]
  /// Sentences for people: free space that is short.
  public let warnings: [String]
  /// The plan in numbers.
  public private(set) var summary: PlanSummary

  /// Takes every part; the summary follows.
  public init(
    scope: Scope, source: String, queues: [QueuePlan], files: [FilePlan], orphans: [Orphan], warnings: [String] = []
  ) {
    self.scope = scope
    self.source = source
    self.queues = queues
    self.files = files
    self.orphans = orphans
    self.warnings = warnings
    summary = PlanSummary(files)
  }
}

extension Plan {
  /// Puts more files at the end. What they are copied from is told by places in this plan.
  package mutating func append(_ more: [FilePlan]) {
    files += more
    summary.add(more)
  }
}

/// The plan in numbers.
public struct PlanSummary: Hashable, Sendable {
  /// Files.
  public private(set) var total = 0
  /// Files to be fetched.
  public private(set) var download = 0
  /// Files that are right already, or are copied.
  public private(set) var reuse = 0
  /// Files that stand against a decision of the user.
  public private(set) var conflict = 0
  /// Files held back by request.
  public private(set) var held = 0
  /// The sum of what is known to be fetched.
  public private(set) var downloadBytes = ByteCount.zero

  init(_ files: [FilePlan]) { add(files) }

  mutating func add(_ files: [FilePlan]) {
    total += files.count
    for file in files {
      switch (file.action, file.isHeld) {
      case (_, true): held += 1
      case (.download, _):
        download += 1
        if let bytes = file.bytes { downloadBytes = downloadBytes.adding(bytes) }
      case (.reuse, _): reuse += 1
      case (.conflict, _): conflict += 1
      }
    }
  }
}
