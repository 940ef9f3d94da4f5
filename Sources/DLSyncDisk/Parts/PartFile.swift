package import DLSyncModel
import DLSyncSystem
import DLSyncThreading
import Glibc

/// The bytes of a file that is on its way, beside its destination.
///
/// The transfer thread writes at any offset; bytes that arrive in order feed the digests at once for the first MiB, and a
/// follower on another thread reads the rest behind the frontier, out of the page cache. Nobody else writes the file: it is
/// locked against other processes as long as this object has it. `PartFile+Pieces.swift` is about going on in a later run.
package final class PartFile: ByteSink {
  /// The destination, for messages.
  package let destination: Destination
  let body: PartBody
  let algorithms: [DigestAlgorithm]
  let ledger = Locked(PartLedger())
  let hashing: Locked<PartHashing>

  var folder: Folder { body.folder }
  /// The name in the destination's folder.
  package var name: String { body.name }
  /// Whether it has the usual name, under which a later run looks for it.
  package var isUsual: Bool { body.file?.isUsual ?? false }
  /// Bytes that an earlier run left, where they were asked for.
  package var existingLength: Int64 { body.file?.size ?? 0 }

  private init(_ body: PartBody, destination: Destination, algorithms: [DigestAlgorithm]) {
    self.body = body
    self.destination = destination
    self.algorithms = algorithms
    hashing = Locked(PartHashing(algorithms))
  }

  /// Makes the folders that are missing and the part file, or takes over the one that an earlier run left.
  ///
  /// `keepExisting` keeps its bytes, of which none counts before `accept`; else it is emptied. With `room` the bytes are in
  /// memory as long as they are few, and the file is made by `makeFile`. Where the usual name is somebody else's or no file
  /// of ours, a name with the process's id is used. SHA-256 is always among the digests.
  package static func open(
    for entry: FileEntry, keepExisting: Bool, digests: [DigestAlgorithm], folders: FolderShelf = FolderShelf(),
    room: HeldBytes? = nil
  ) throws(DLSyncError) -> PartFile {
    let destination = entry.destination
    // The mask applies to it as to any new file, so the usual case needs no further call.
    let mode = mode_t((entry.options.permissions ?? 0o666) & 0o666 | 0o600)
    let folder: Folder
    do throws(FolderTrouble) { folder = try folders.folder(of: destination) } catch {
      throw error.error(for: destination)
    }
    // Where the system refuses it that is told before anything is fetched.
    let room = folders.isLastWritable ? room : nil
    let body = PartBody(entry.id, in: folder, mode: mode, keepsExisting: keepExisting, room: room)
    let part = PartFile(body, destination: destination, algorithms: [.sha256] + digests)
    if room == nil { try part.makeFile() }
    return part
  }

  /// Makes the file, if there is none yet, with what has come so far.
  package func makeFile() throws(DLSyncError) {
    do throws(SystemTrouble) { try body.makeFile() } catch {
      if error.number == ENOENT, !folder.isLinked { throw .folderMoved(destination) }
      throw notCreated(error)
    }
  }

  private func notCreated(_ trouble: SystemTrouble) -> DLSyncError {
    guard trouble.number == EEXIST else {
      return SystemFailure.error(trouble, "could not create partial data for", destination.path)
    }
    return DLSyncError(
      .fileSystem, "could not create partial data for \"\(destination)\": both names that it may have are taken",
      hint: "look for files named \"\(name)\" in its folder")
  }

  /// The number of bytes from the beginning that are there without a hole.
  package var length: Int64 { ledger.withLock { $0.written.frontier } }

  /// Whether a new folder was made for it.
  var isInNewFolder: Bool { folder.isNew }

  /// Whether the mode may be that of an earlier run.
  var hasInheritedMode: Bool { body.file?.isNew == false }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(DLSyncError) {
    if !body.hold(bytes, at: offset) {
      if body.file == nil { try makeFile() }
      do throws(SystemTrouble) {
        try body.use { descriptor throws(SystemTrouble) in try writeFully(descriptor, bytes, at: offset) }
      } catch {
        throw SystemFailure.error(error, "could not write to", destination.path)
      }
    }
    let range = ByteRange(offset, offset + Int64(bytes.count))
    let (duty, epoch, failure) = ledger.withLock { ledger in (ledger.note(range), ledger.epoch, ledger.failure) }
    // The file cannot be finished any more.
    if let failure { throw failure }
    if duty.hashesInline { hashing.withLock { $0.update(bytes, epoch: epoch) } }
    if duty.wakesFollower { HashingThread.shared.follow(self) }
  }

  /// An attempt begins anew, from nothing. Not while a transfer still writes.
  package func restart() throws(DLSyncError) {
    ledger.withLock { $0.reset() }
    do throws(SystemTrouble) { try truncate(to: 0) } catch {
      throw SystemFailure.error(error, "could not empty the partial data of", destination.path)
    }
  }

  /// All bytes were written: the file gets exactly this length, and its digests are waited for. Missing bytes are an error.
  package func finish(length: Int64) async throws(DLSyncError) -> [DigestAlgorithm: Digest] {
    let there = self.length
    guard there >= length else {
      throw DLSyncError(
        .fileSystem, "could not finish \"\(destination)\": only \(there) of \(length) bytes were written")
    }
    do throws(SystemTrouble) {
      if !body.cutHeld(to: length) {
        let size = try body.use { descriptor throws(SystemTrouble) in try status(descriptor).st_size }
        if Int64(size) != length { try truncate(to: length) }
      }
    } catch {
      throw SystemFailure.error(error, "could not finish", destination.path)
    }
    if ledger.withLock({ $0.close(at: length) }) {
      try? body.use { descriptor throws(SystemTrouble) in WriteBack.startAll(descriptor) }
      await waitForFollower(at: length)
    }
    let (epoch, failure) = ledger.withLock { ledger in
      (ledger.epoch, ledger.isClosed ? Self.discarded(destination) : ledger.failure)
    }
    if let failure { throw failure }
    return hashing.withLock { $0.digests(epoch: epoch) }
  }

  /// Drops the partial data. The folders stay.
  package func discard() {
    // What is held in memory never took the place of what an earlier run left.
    if body.isHeld { removeLeftover(name, in: folder) }
    if body.file != nil, let mine = try? identity(), let named = try? status(folder.descriptor, name),
      FileIdentity(named).inode == mine.inode, FileIdentity(named).device == mine.device
    {
      unlinkat(folder.descriptor, name, 0)
    }
    keep()
  }

  /// The file that this one replaced is still there, under the name of the partial data.
  func noteLeftover() { ledger.withLock { $0.hasLeftover = true } }

  /// Where the file lies that this one replaced and that could not be removed.
  package var leftover: String? {
    ledger.withLock { $0.hasLeftover } ? destination.folder + "/" + name : nil
  }

  /// Leaves the partial data for a later run and gives up the lock.
  package func keep() {
    ledger.withLock { $0.markClosed() }
    // The follower may hold the descriptor for a moment longer; the lock is not for it.
    try? body.file?.descriptor.use { descriptor throws(SystemTrouble) in
      _ = uninterrupted { flock(descriptor, LOCK_UN) }
    }
    body.close()
  }

  /// The file has its final name, under which nobody asks for the lock.
  func release() {
    ledger.withLock { $0.markClosed() }
    body.close()
  }

  /// What the disk shows of the part file now.
  func identity() throws(SystemTrouble) -> FileIdentity {
    try body.use { descriptor throws(SystemTrouble) in FileIdentity(try status(descriptor)) }
  }

  private func truncate(to length: Int64) throws(SystemTrouble) {
    if body.cutHeld(to: length) { return }
    try body.use { descriptor throws(SystemTrouble) in
      if uninterrupted({ ftruncate(descriptor, off_t(length)) }) != 0 { throw .last }
    }
  }

  /// Waits until hashing has come to an offset, or cannot come there any more.
  func waitForFollower(at offset: Int64) async {
    await withCheckedContinuation { continuation in
      let isNews = ledger.withLock { $0.wait(for: offset, continuation) }
      if isNews { HashingThread.shared.follow(self) }
    }
  }

  private static func discarded(_ destination: Destination) -> DLSyncError {
    DLSyncError(.canceled, "could not finish \"\(destination)\": its partial data was given up meanwhile")
  }
}

extension PartFile {
  /// Bytes that came into the file without `write`, from its beginning: a copy.
  func noteCopied(length: Int64) {
    let duty = ledger.withLock { ledger in
      ledger.follow()
      return ledger.note(ByteRange(0, length))
    }
    if duty.wakesFollower { HashingThread.shared.follow(self) }
  }
}

// The follower's side; on its thread alone.
extension PartFile {
  /// Hashes up to 4 MiB of what was written; whether there is more.
  func followOneStep(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    for _ in 0..<(4 << 20) / buffer.count {
      guard let stretch = ledger.withLock({ $0.nextStretch(limit: Int64(buffer.count)) }) else {
        resumeWaiters()
        return false
      }
      do throws(SystemTrouble) {
        try hash(stretch.range, stretch.epoch, buffer)
      } catch {
        let failure = SystemFailure.error(error, "could not read back", destination.path)
        ledger.withLock { $0.fail(failure) }
      }
    }
    resumeWaiters()
    return true
  }

  private func resumeWaiters() {
    for waiter in ledger.withLock({ $0.takeWaiters() }) { waiter.resume() }
  }

  private func hash(_ range: ByteRange, _ epoch: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemTrouble) {
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(range.length)])
    try body.use { descriptor throws(SystemTrouble) in
      guard try readFully(descriptor, wanted, at: range.lower) == wanted.count else { throw SystemTrouble(EIO) }
      WriteBack.start(descriptor, behind: range)
    }
    hashing.withLock { $0.update(UnsafeRawBufferPointer(wanted), epoch: epoch) }
  }
}
