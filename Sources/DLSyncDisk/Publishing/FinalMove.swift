import CPosix
import DLSyncModel
import DLSyncSystem
import Glibc

/// The one step that gives a complete file its final name.
struct FinalMove {
  private let part: PartFile
  private let basis: DestinationBasis
  private let folder: Int32
  private let from: String
  private let to: String

  init(_ publication: Publication) {
    part = publication.part
    basis = publication.basis
    folder = part.folder.descriptor
    from = part.name
    to = part.destination.name
  }

  /// Moves, and returns what the disk shows at the final name.
  func run() throws(DLSyncError) -> FileIdentity {
    let mine: FileIdentity
    do throws(SystemTrouble) {
      mine = try part.identity()
      // Somebody may have taken the name of the part away: then something else would be published.
      guard FileIdentity(try status(folder, from)).isSameFile(as: mine) else { throw SystemTrouble(ESTALE) }
    } catch {
      guard [ENOENT, ESTALE].contains(error.number) else { throw failure(error) }
      throw DLSyncError(
        .fileSystem, "could not publish \"\(part.destination)\": somebody took its partial data away meanwhile",
        hint: "apply again to fetch it anew", .init(underlying: error.record))
    }
    switch basis {
    case .absent: try moveToFreeName()
    case .file(let identity): try replace(identity)
    }
    let now: stat?
    do throws(SystemTrouble) { now = try status(folder, to) } catch {
      // Nobody took it away: the next run looks again, and knows it by what was recorded before the move.
      guard error.number == ENOENT else { throw failure(error).ofPlaced }
      now = nil
    }
    guard let now, FileIdentity(now).isSameFile(as: mine) else {
      throw DLSyncError(
        .destinationModified,
        "could not publish \"\(part.destination)\": it was replaced by somebody in the same moment")
    }
    return FileIdentity(now)
  }

  private func moveToFreeName() throws(DLSyncError) {
    if dl_renameat2_noreplace(folder, from, folder, to) == 0 { return }
    switch errno {
    case EINVAL, ENOSYS: try linkToFreeName()
    case EEXIST: throw obstacle()
    default: throw failure(.last)
    }
  }

  /// For file systems whose rename cannot refuse to replace; a link always does.
  private func linkToFreeName() throws(DLSyncError) {
    if linkat(folder, from, folder, to, 0) != 0 {
      switch errno {
      case EEXIST: throw obstacle()
      case EPERM, EOPNOTSUPP, ENOSYS, EMLINK:
        throw DLSyncError(
          .fileSystem,
          "could not publish \"\(part.destination)\": its file system has neither a rename that replaces nothing nor hard links",
          hint: "choose a destination on another file system", .init(underlying: SystemTrouble.last.record))
      default: throw failure(.last)
      }
    }
    // The file is published; a second name that stays is taken away as a leftover by a later run.
    unlinkat(folder, from, 0)
  }

  private func replace(_ identity: FileIdentity) throws(DLSyncError) {
    guard let found = try? status(folder, to) else { throw modified("it is not there any more") }
    guard found.isRegularFile else { throw obstacle() }
    guard FileIdentity(found).isUntouched(since: identity) else { throw modified("it was changed meanwhile") }
    if dl_renameat2_exchange(folder, from, folder, to) == 0 {
      // Both names exist at any moment. What came out must be what was looked at just before; else it goes back.
      let removed = try? status(folder, from)
      guard let removed, FileIdentity(removed).isSameFile(as: identity) else {
        throw putBack()
      }
      if unlinkat(folder, from, 0) != 0 { part.noteLeftover() }
      return
    }
    guard errno == EINVAL || errno == ENOSYS else { throw failure(.last) }
    if renameat(folder, from, folder, to) != 0 { throw failure(.last) }
  }

  /// Gives somebody's file, which has our name now, its own back. Where that fails it gets one that no later run takes for
  /// partial data.
  private func putBack() -> DLSyncError {
    let reason = "it was changed in the last moment"
    if dl_renameat2_exchange(folder, from, folder, to) == 0 { return modified(reason) }
    let trouble = SystemTrouble.last
    let name = KeptFile.put(from, in: folder) ?? from
    return DLSyncError(
      .destinationModified,
      "could not replace \"\(part.destination)\": \(reason), and could not be put back: it lies beside it as \"\(name)\"",
      hint: "look at both, and move the one away that you do not want", .init(underlying: trouble.record))
  }

  /// Something is there though nothing was when the plan was made.
  private func obstacle() -> DLSyncError {
    let observation = (try? status(folder, to))?.observation ?? .absent
    let hint = "move it away, or say what to do with `onConflict`"
    switch observation {
    case .folder:
      return DLSyncError(
        .destinationInvalid, "could not publish \"\(part.destination)\": a folder is there", hint: hint)
    case .special(let word):
      return DLSyncError(
        .destinationInvalid, "could not publish \"\(part.destination)\": a \(word) is there", hint: hint)
    case .symbolicLink:
      return DLSyncError(
        .destinationExists,
        "could not publish \"\(part.destination)\": a symbolic link is there, which is never followed",
        hint: "remove the link")
    default:
      return DLSyncError(
        .destinationExists, "could not publish \"\(part.destination)\": a file appeared there meanwhile", hint: hint)
    }
  }

  private func modified(_ reason: String) -> DLSyncError {
    DLSyncError(
      .destinationModified, "could not replace \"\(part.destination)\": \(reason)", hint: "apply again to plan anew")
  }

  private func failure(_ trouble: SystemTrouble) -> DLSyncError {
    SystemFailure.error(trouble, "could not publish", part.destination.path)
  }
}
