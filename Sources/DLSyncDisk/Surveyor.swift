package import DLSyncModel
import DLSyncThreading
import Glibc

/// Looks at the destinations of a manifest. It opens no file that is not to be hashed, follows no link at the end of a
/// path, and changes nothing.
package struct Surveyor: Sendable {
  package init() {}

  /// One observation for each entry, in their order, and the free space of the file systems that were met. Two threads,
  /// about a microsecond a file.
  package func survey(_ files: [FileEntry]) -> DiskSurvey {
    let fileSystems = Locked<[UInt64: ByteCount]>([:])
    let pieces = ParallelMap.run(count: files.count, piece: 4096, makeState: { Sight(fileSystems) }) { sight, range in
      range.map { sight.look(at: files[$0].destination) }
    }
    return DiskSurvey(observations: Array(pieces.joined()), freeSpace: fileSystems.withLock { $0 })
  }

  /// Reads the files of the requests once each, whatever the number of algorithms, and adds their digests to the survey.
  /// What is not a regular file, cannot be read, or changes while it is read gets none; the observation is brought up to
  /// date in any case. Two threads.
  package func hash(_ requests: [HashRequest], of files: [FileEntry], into survey: inout DiskSurvey) {
    let results = ParallelMap.run(count: requests.count, piece: 1, makeState: { FileReader() }) { reader, range in
      let request = requests[range.lowerBound]
      return reader.read(files[request.entry].destination, request.algorithms)
    }
    for (request, result) in zip(requests, results) {
      survey.observations[request.entry] = result.observation
      if let digests = result.digests { survey.digests[request.entry, default: [:]].merge(digests) { $1 } }
    }
  }
}

/// One thread's view of the disk.
private struct Sight {
  private var cache = FolderCache()
  private var name = [CChar](repeating: 0, count: 256)
  private let fileSystems: Locked<[UInt64: ByteCount]>

  init(_ fileSystems: Locked<[UInt64: ByteCount]>) { self.fileSystems = fileSystems }

  mutating func look(at destination: Destination) -> Observation {
    guard destination.path.utf8.count < Int(PATH_MAX) else { return .nameTooLong }
    let seen = destination.path.utf8.withContiguousStorageIfAvailable { look(at: destination, path: $0) }
    if let seen { return seen }
    // A text that came from elsewhere and is not stored as UTF-8 in one piece.
    return Array(destination.path.utf8).withUnsafeBufferPointer { look(at: destination, path: $0) }
  }

  private mutating func look(at destination: Destination, path: UnsafeBufferPointer<UInt8>) -> Observation {
    var slash = path.count - 1
    while path[slash] != UInt8(ascii: "/") { slash -= 1 }
    let length = path.count - slash - 1
    // No file system of Linux has longer names; where they are shorter the kernel says so.
    guard length <= 255 else { return .nameTooLong }
    let folder = UnsafeBufferPointer(rebasing: path[...slash])
    let fileSystems = fileSystems
    let place = cache.place(folder, rootLength: destination.rootByteCount, of: destination) { destination in
      Self.open(destination, fileSystems)
    }
    return name.withUnsafeMutableBytes { buffer in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(path)[(slash + 1)...]))
      buffer[length] = 0
      return place.look(buffer.baseAddress!.assumingMemoryBound(to: CChar.self))
    }
  }

  private static func open(_ destination: Destination, _ fileSystems: Locked<[UInt64: ByteCount]>) -> FolderCache.Place
  {
    let folder = Result { () throws(FolderTrouble) in try Folder.open(of: destination, creating: false) }
    guard case .success(let found) = folder, let device = try? UInt64(status(found.descriptor).st_dev) else {
      return FolderCache.Place(folder: folder, device: 0)
    }
    if !fileSystems.withLock({ $0.keys.contains(device) }) {
      var space = statvfs()
      if fstatvfs(found.descriptor, &space) == 0, let free = ByteCount(space) {
        fileSystems.withLock { $0[device] = free }
      }
    }
    return FolderCache.Place(folder: folder, device: device)
  }
}
