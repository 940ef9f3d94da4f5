import CPosix
package import DLSyncModel
import DLSyncSystem
package import DLSyncThreading
import Glibc

/// Puts finished files into a cache: the writer of one run, on one thread.
///
/// The order for each group: bytes into `new`, shared with the file where the file system can → data flushed → the names by
/// which they are found. A crash leaves a file in `new` at most, which the next writer takes away; no name ever leads to
/// bytes that were not flushed.
package final class CacheWriter {
  private struct Pending {
    let descriptor: Int32
    let path: String
    let fingerprint: Digest
    let digests: [Digest]
  }

  private let cache: ContentCache
  private var pending: [Pending] = []
  private var number = 0
  private var isReady = false

  /// This many files share one flush.
  private static let groupSize = 64
  /// From this many files on one `syncfs` costs less.
  private static let manyFiles = 8

  /// Makes nothing before the first file comes.
  package init(_ cache: ContentCache) { self.cache = cache }

  deinit { for file in pending { close(file.descriptor) } }

  /// Takes a copy of a published file, unless its bytes are there already or the file system would be left with less than
  /// `leaving` bytes. It can be found from `seal` on. `digests` are others that were found to be its own. Blocks.
  package func add(
    _ source: Destination, _ published: PublishedFile, digests: [Digest], leaving: Int64, cancel: CancelToken
  ) throws(DLSyncError) {
    if cache.find(published.fingerprint) != nil {
      do throws(SystemTrouble) { try link(published.fingerprint, digests) } catch { throw failure(error) }
      return
    }
    guard !pending.contains(where: { $0.fingerprint == published.fingerprint }) else { return }
    do throws(SystemTrouble) { try prepare() } catch { throw failure(error) }
    guard hasRoom(for: published.identity.size, leaving: leaving) else { return }
    let file = try copy(source, published, digests, cancel)
    pending.append(file)
    if pending.count >= Self.groupSize { try seal() }
  }

  /// Whether everything that was added can be found.
  package var isSealed: Bool { pending.isEmpty }

  /// Makes what was added durable and lets it be found. After an error some of it is not.
  package func seal() throws(DLSyncError) {
    defer {
      for file in pending { close(file.descriptor) }
      pending = []
    }
    let isFlushed = pending.count >= Self.manyFiles && uninterrupted { dl_syncfs(pending[0].descriptor) } == 0
    // What cannot be found for one file is no other's trouble.
    var trouble: SystemTrouble?
    for file in pending {
      do throws(SystemTrouble) { try name(file, isFlushed: isFlushed) } catch {
        unlink(file.path)
        trouble = trouble ?? error
      }
    }
    if let trouble { throw failure(trouble) }
  }

  private func name(_ file: Pending, isFlushed: Bool) throws(SystemTrouble) {
    if isFlushed {
      if let loss = DataFlush.loss(of: file.descriptor) { throw loss }
    } else if uninterrupted({ fdatasync(file.descriptor) }) != 0 {
      throw .last
    }
    let place = cache.path(of: file.fingerprint)
    try makeFolder(of: place)
    // Whoever was faster put the same bytes there.
    if rename(file.path, place) != 0 { throw .last }
    try link(file.fingerprint, file.digests)
  }

  private func copy(
    _ source: Destination, _ published: PublishedFile, _ digests: [Digest], _ cancel: CancelToken
  ) throws(DLSyncError) -> Pending {
    let (descriptor, path) = try makeFile()
    do throws(DLSyncError) {
      // Tells other writers that somebody is at work on it.
      _ = uninterrupted { flock(descriptor, LOCK_EX | LOCK_NB) }
      try Copier.copy(from: source, identity: published.identity, to: path, cancel: cancel) {
        write throws(SystemTrouble) in
        try write(descriptor)
        if fchmod(descriptor, 0o400) != 0 { throw .last }
      }
    } catch {
      close(descriptor)
      unlink(path)
      throw error
    }
    return Pending(descriptor: descriptor, path: path, fingerprint: published.fingerprint, digests: digests)
  }

  /// A name that nobody has: one process may have several writers.
  private func makeFile() throws(DLSyncError) -> (descriptor: Int32, path: String) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    while true {
      number += 1
      let path = "\(cache.folder)/new/\(getpid())-\(number)"
      let descriptor = uninterrupted { open(path, flags, 0o600) }
      if descriptor >= 0 { return (descriptor, path) }
      guard errno == EEXIST else { throw failure(.last) }
    }
  }

  private func hasRoom(for size: Int64, leaving: Int64) -> Bool {
    var space = statvfs()
    guard uninterrupted({ statvfs(cache.folder, &space) }) == 0, let free = ByteCount(space) else { return true }
    return free.bytes - size >= leaving
  }

  // MARK: Folders and links

  /// The folder is its owner's alone: what was fetched with credentials lies in it.
  private func prepare() throws(SystemTrouble) {
    guard !isReady else { return }
    if access(cache.folder, F_OK) != 0 {
      do throws(FolderTrouble) { _ = try Folder.open(absolute: cache.folder.parentPath, creating: true) } catch {
        if case .system(let trouble, _) = error { throw trouble }
        throw SystemTrouble(ENOTDIR)
      }
      if mkdir(cache.folder, 0o700) != 0, errno != EEXIST { throw .last }
    }
    if mkdir(cache.folder + "/new", 0o700) != 0, errno != EEXIST { throw .last }
    _ = cache.removeLeftovers()
    isReady = true
  }

  private func makeFolder(of path: String) throws(SystemTrouble) {
    let folder = path.parentPath
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    if mkdir(folder.parentPath, 0o700) != 0, errno != EEXIST { throw .last }
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .last }
  }

  private func link(_ fingerprint: Digest, _ digests: [Digest]) throws(SystemTrouble) {
    for digest in digests where digest.algorithm != .sha256 && ContentCache.finds(digest.algorithm) {
      let place = cache.path(of: digest)
      if cache.linked(place) == fingerprint { continue }
      try makeFolder(of: place)
      unlink(place)
      let hex = fingerprint.hex
      if symlink("../../sha256/\(hex.prefix(2))/\(hex)", place) != 0, errno != EEXIST { throw .last }
    }
  }

  private func failure(_ trouble: SystemTrouble) -> DLSyncError {
    SystemFailure.error(trouble, "could not write to the cache", cache.folder)
  }
}
