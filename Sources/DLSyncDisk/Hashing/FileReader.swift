import DLSyncModel
import DLSyncSystem
import DLSyncThreading
import Glibc

/// Reads whole files to hash them, one after another.
struct FileReader {
  struct Outcome: Sendable {
    /// What is at the destination.
    let observation: Observation
    /// The digests of that very file, or nil.
    let digests: [DigestAlgorithm: Digest]?
  }

  private var buffer = [UInt8](repeating: 0, count: 256 << 10)
  private let cancel: CancelToken?

  init(cancel: CancelToken? = nil) { self.cancel = cancel }

  mutating func read(_ destination: Destination, _ algorithms: [DigestAlgorithm]) -> Outcome {
    let folder: Folder
    do throws(FolderTrouble) { folder = try Folder.open(of: destination, creating: false) } catch {
      return Outcome(observation: error.observation, digests: nil)
    }
    do throws(SystemTrouble) {
      let found = try status(folder.descriptor, destination.name)
      guard found.isRegularFile else { return Outcome(observation: found.observation, digests: nil) }
      guard let descriptor = try? openRegularFile(destination.name, in: folder.descriptor) else {
        return Outcome(observation: found.observation, digests: nil)
      }
      defer { close(descriptor) }
      let before = FileIdentity(try status(descriptor))
      let digests = try? digests(descriptor, algorithms)
      let after = FileIdentity(try status(descriptor))
      return Outcome(observation: .file(after), digests: after.isUntouched(since: before) ? digests : nil)
    } catch {
      return Outcome(observation: Observation(failure: error), digests: nil)
    }
  }

  private mutating func digests(
    _ descriptor: Int32, _ algorithms: [DigestAlgorithm]
  ) throws(SystemTrouble) -> [DigestAlgorithm: Digest] {
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    var running = RunningDigest(algorithms)
    var position: Int64 = 0
    let result = buffer.withUnsafeMutableBytes { buffer -> Result<Void, SystemTrouble> in
      do throws(SystemTrouble) {
        while true {
          if cancel?.isCancelled == true { throw SystemTrouble(ECANCELED) }
          let count = try readFully(descriptor, buffer, at: position)
          running.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          position += Int64(count)
          if count < buffer.count { return .success(()) }
        }
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    return running.digests
  }
}
