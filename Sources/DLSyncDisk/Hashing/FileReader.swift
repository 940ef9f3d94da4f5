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
    var digests: [DigestAlgorithm: Digest]?
    /// Why a regular file has none.
    var failure: DLSyncError?
  }

  private var buffer = [UInt8](repeating: 0, count: 256 << 10)
  private let cancel: CancelToken?

  init(cancel: CancelToken? = nil) { self.cancel = cancel }

  mutating func read(_ destination: Destination, _ algorithms: [DigestAlgorithm]) -> Outcome {
    let folder: Folder
    do throws(FolderTrouble) { folder = try Folder.open(of: destination, creating: false) } catch {
      return Outcome(observation: error.observation)
    }
    do throws(SystemTrouble) {
      let found = try status(folder.descriptor, destination.name)
      guard found.isRegularFile else { return Outcome(observation: found.observation) }
      return try read(found.observation, destination, in: folder, algorithms)
    } catch {
      return Outcome(observation: Observation(failure: error))
    }
  }

  private mutating func read(
    _ seen: Observation, _ destination: Destination, in folder: Folder, _ algorithms: [DigestAlgorithm]
  ) throws(SystemTrouble) -> Outcome {
    let descriptor: Int32
    do throws(SystemTrouble) { descriptor = try openRegularFile(destination.name, in: folder.descriptor) } catch {
      return Outcome(observation: seen, failure: Self.failure(error, destination))
    }
    defer { close(descriptor) }
    let before = FileIdentity(try status(descriptor))
    let found: [DigestAlgorithm: Digest]
    do throws(SystemTrouble) { found = try digests(descriptor, algorithms) } catch {
      return Outcome(observation: .file(before), failure: Self.failure(error, destination))
    }
    let after = FileIdentity(try status(descriptor))
    guard after.isUntouched(since: before) else {
      let error = DLSyncError(.fileSystem, "\"\(destination)\" was changed while it was read", hint: "try again")
      return Outcome(observation: .file(after), failure: error)
    }
    return Outcome(observation: .file(after), digests: found)
  }

  private static func failure(_ trouble: SystemTrouble, _ destination: Destination) -> DLSyncError {
    SystemFailure.error(trouble, "could not read", destination.path)
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
