internal import DLSyncModel

/// Where the bytes of one file may come from, and which of these is asked. A value without effects.
///
/// The entry's URL and its mirrors are asked in their order, each at once when the one before it failed. When all have
/// failed, those whose trouble may pass are asked again, as often as the queue's retries allow.
struct SourceRing {
  private let own: SourceURL
  /// Those that may still serve.
  private var candidates: [SourceURL]
  private var place = 0
  /// Attempts that went to another source at once: together with the one before they count as one.
  private(set) var asides = 0
  /// The last trouble of the entry's own URL, and of a mirror.
  private var ownError: DLSyncError?
  private var mirrorError: DLSyncError?
  /// The last trouble that may pass, of one that is still to be asked.
  private var passing: DLSyncError?

  init(_ entry: FileEntry) {
    own = entry.url
    candidates = [entry.url] + entry.options.settings.mirrors.filter { $0 != entry.url }
  }

  /// The URL that is asked now.
  var url: SourceURL { candidates.isEmpty ? own : candidates[place] }

  /// Whether that is the entry's own, which alone may see its headers.
  var isOwn: Bool { url == own }

  /// Whether there is, or was, more than one.
  private var hasMirrors: Bool { ownError != nil || candidates.count > 1 }

  /// Those that may serve beside the one that is asked: of other origins, each once.
  var others: [SourceURL] {
    var origins: Set<String> = [url.origin]
    return candidates.filter { $0 != url && origins.insert($0.origin).inserted }
  }

  /// A mirror that is not asked again.
  mutating func drop(_ mirror: SourceURL) {
    guard mirror != url, let index = candidates.firstIndex(of: mirror) else { return }
    candidates.remove(at: index)
    if index < place { place -= 1 }
  }

  /// Takes a failure of the present source into account: true where another one is to be asked at once.
  mutating func moveOn(after error: DLSyncError, mayPass: Bool) -> Bool {
    guard hasMirrors, Self.isOfOneServer(error), !candidates.isEmpty else { return false }
    if isOwn { ownError = error } else { mirrorError = error }
    if mayPass { passing = error }
    if mayPass { place += 1 } else { candidates.remove(at: place) }
    if place < candidates.count {
      // An attempt that was put off is none, so there is nothing to count it together with.
      if !error.details.isPostponed { asides += 1 }
      return true
    }
    place = 0
    return false
  }

  /// Begins a round with the source that may be asked soonest, the first of several; `pause` is how long one is to be left
  /// alone.
  mutating func begin(_ pause: (SourceURL) -> Duration) {
    guard place == 0, candidates.count > 1 else { return }
    place = candidates.indices.min { pause(candidates[$0]) < pause(candidates[$1]) } ?? place
  }

  /// What decides whether there is another round: of several sources it is enough that one may recover.
  func cause(_ last: DLSyncError) -> DLSyncError {
    guard hasMirrors, Self.isOfOneServer(last), !candidates.isEmpty else { return last }
    return passing ?? last
  }

  /// The error of the file when nothing more is tried: the entry's own URL comes first in the telling.
  func verdict(_ last: DLSyncError) -> DLSyncError {
    guard Self.isOfOneServer(last), let ownError, let mirrorError, ownError.message != mirrorError.message else {
      return last
    }
    return DLSyncError(
      ownError.code, "\(ownError.message); the mirrors did not help, the last because \(mirrorError.message)",
      hint: ownError.hint, ownError.details)
  }

  /// Whether another server may not have the same trouble.
  static func isOfOneServer(_ error: DLSyncError) -> Bool {
    switch error.code {
    case .authenticationRequired, .httpStatus, .rangeInvalid, .resourceChanged, .encodingUnsupported, .redirectRefused,
      .tooManyRedirects, .tlsFailed, .nameResolutionFailed, .connectFailed, .connectionLost, .timedOut, .proxyFailed,
      .protocolError, .checksumMismatch, .sizeMismatch:
      true
    default: false
    }
  }
}

extension DLSyncError {
  /// Whether a server was caught giving what it should not have.
  var isOfWrongBytes: Bool { code == .checksumMismatch || code == .sizeMismatch || code == .rangeInvalid }
}
