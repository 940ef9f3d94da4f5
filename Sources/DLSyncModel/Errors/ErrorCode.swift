/// A stable name of a kind of trouble, the `code` of every error in JSON. New ones may appear in later versions.
public struct ErrorCode: Hashable, Sendable, CustomStringConvertible {
  enum Kind: String, CaseIterable {
    case authenticationRequired, httpStatus, rangeInvalid, resourceChanged, encodingUnsupported, redirectRefused
    case tooManyRedirects, tlsFailed, nameResolutionFailed, connectFailed, connectionLost, timedOut, resourceTimeout
    case proxyFailed, networkNotAllowed, protocolError, checksumMismatch, checksumUnavailable, sizeMismatch, diskFull
    case permissionDenied, fileSystem, destinationExists, destinationModified, destinationConflict, destinationInvalid
    case duplicateTaskConflict, configurationConflict, chunkLimitExceeded, queueLimitExceeded, taskBusy, taskNotFound
    case manifestInvalid, lockOutdated, usage, stateLocked, stateUnavailable, stateTooNew, canceled, interrupted
    case `internal`
  }

  let kind: Kind
  private init(_ kind: Kind) { self.kind = kind }

  /// The code of a recorded or transmitted text, or nil for one that this version does not know.
  public init?(text: String) {
    guard let kind = Kind(rawValue: text) else { return nil }
    self.kind = kind
  }

  /// The code as JSON and records spell it.
  public var text: String { kind.rawValue }
  /// The same text.
  public var description: String { text }
  /// Every code, in the order of the documentation.
  public static var all: [ErrorCode] { Kind.allCases.map(ErrorCode.init) }
}

// One line a code: the catalogue beside this file says what each means.
extension ErrorCode {
  /// The server wants to know who asks (401, 403).
  public static let authenticationRequired = ErrorCode(.authenticationRequired)
  /// The server answered with another status than 200 or 206.
  public static let httpStatus = ErrorCode(.httpStatus)
  /// The server sent another range than the one asked for.
  public static let rangeInvalid = ErrorCode(.rangeInvalid)
  /// The resource changed while it was being fetched.
  public static let resourceChanged = ErrorCode(.resourceChanged)
  /// The body is encoded though identity was asked for.
  public static let encodingUnsupported = ErrorCode(.encodingUnsupported)
  /// A redirect that dlsync does not follow.
  public static let redirectRefused = ErrorCode(.redirectRefused)
  /// More than ten redirects.
  public static let tooManyRedirects = ErrorCode(.tooManyRedirects)
  /// No trustworthy TLS connection.
  public static let tlsFailed = ErrorCode(.tlsFailed)
  /// The host name has no address.
  public static let nameResolutionFailed = ErrorCode(.nameResolutionFailed)
  /// No connection to the host.
  public static let connectFailed = ErrorCode(.connectFailed)
  /// The connection ended before the body did.
  public static let connectionLost = ErrorCode(.connectionLost)
  /// Nothing came for too long.
  public static let timedOut = ErrorCode(.timedOut)
  /// The file took longer than it may in all.
  public static let resourceTimeout = ErrorCode(.resourceTimeout)
  /// The proxy is the trouble, not the server.
  public static let proxyFailed = ErrorCode(.proxyFailed)
  /// The network may not be used for this.
  public static let networkNotAllowed = ErrorCode(.networkNotAllowed)
  /// The answer is not valid HTTP.
  public static let protocolError = ErrorCode(.protocolError)
  /// The bytes are not those that the manifest expects.
  public static let checksumMismatch = ErrorCode(.checksumMismatch)
  /// The expected checksum could not be had.
  public static let checksumUnavailable = ErrorCode(.checksumUnavailable)
  /// The length is not the declared one.
  public static let sizeMismatch = ErrorCode(.sizeMismatch)
  /// No space is left, or a quota is used up.
  public static let diskFull = ErrorCode(.diskFull)
  /// The file system does not allow it.
  public static let permissionDenied = ErrorCode(.permissionDenied)
  /// The file system reports another error.
  public static let fileSystem = ErrorCode(.fileSystem)
  /// A file that dlsync does not own is there.
  public static let destinationExists = ErrorCode(.destinationExists)
  /// The published file was changed since.
  public static let destinationModified = ErrorCode(.destinationModified)
  /// Somebody else claims the destination.
  public static let destinationConflict = ErrorCode(.destinationConflict)
  /// No file can be published there.
  public static let destinationInvalid = ErrorCode(.destinationInvalid)
  /// One URL twice in a queue with different wishes.
  public static let duplicateTaskConflict = ErrorCode(.duplicateTaskConflict)
  /// Settings that may not change while the queue runs.
  public static let configurationConflict = ErrorCode(.configurationConflict)
  /// The file needs more chunks than there may be.
  public static let chunkLimitExceeded = ErrorCode(.chunkLimitExceeded)
  /// More queues than there may be.
  public static let queueLimitExceeded = ErrorCode(.queueLimitExceeded)
  /// The task is being verified or published.
  public static let taskBusy = ErrorCode(.taskBusy)
  /// No task matches.
  public static let taskNotFound = ErrorCode(.taskNotFound)
  /// The manifest has errors.
  public static let manifestInvalid = ErrorCode(.manifestInvalid)
  /// There is no lock file, or it does not cover the entry.
  public static let lockOutdated = ErrorCode(.lockOutdated)
  /// The command line is wrong.
  public static let usage = ErrorCode(.usage)
  /// Another process runs the queue.
  public static let stateLocked = ErrorCode(.stateLocked)
  /// The state cannot be used.
  public static let stateUnavailable = ErrorCode(.stateUnavailable)
  /// The state was written by a newer version.
  public static let stateTooNew = ErrorCode(.stateTooNew)
  /// Ended by request.
  public static let canceled = ErrorCode(.canceled)
  /// Ended by a signal; resumable.
  public static let interrupted = ErrorCode(.interrupted)
  /// A fault of dlsync itself.
  public static let `internal` = ErrorCode(.internal)
}
