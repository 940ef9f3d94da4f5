/// What each code means for a program: whether trying again can help, and the exit status of a run that ends with it.
/// docs/errors.md is checked against this table.
public struct ErrorCatalogueEntry: Sendable {
  /// The code that is described.
  public let code: ErrorCode
  /// Whether the same request may succeed later. A status outside the queue's list overrides it.
  public let isRetryable: Bool
  /// The exit status: 1 failed file, 2 usage or manifest, 3 conflict, 4 state, 130 ended by request or signal.
  public let exitStatus: Int32
}

extension ErrorCode {
  /// This code's line of the catalogue.
  public var catalogueEntry: ErrorCatalogueEntry {
    ErrorCatalogueEntry(code: self, isRetryable: isRetryable, exitStatus: exitStatus)
  }

  /// Whether trying again may help.
  public var isRetryable: Bool {
    switch kind {
    case .nameResolutionFailed, .connectFailed, .connectionLost, .timedOut, .resourceChanged, .interrupted: true
    case .stateLocked, .taskBusy: true
    default: false
    }
  }

  /// The exit status of a run in which this is the worst that happened.
  public var exitStatus: Int32 {
    switch kind {
    case .manifestInvalid, .usage, .queueLimitExceeded: 2
    case .destinationExists, .destinationModified, .destinationConflict, .destinationInvalid, .duplicateTaskConflict,
      .configurationConflict:
      3
    case .stateLocked, .stateUnavailable, .stateTooNew: 4
    case .interrupted: 130
    default: 1
    }
  }
}
