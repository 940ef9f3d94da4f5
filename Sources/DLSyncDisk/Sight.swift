import DLSyncModel
import Glibc

/// One thread's view of the disk during a survey.
struct Sight {
  struct Piece: Sendable {
    var observations: [Observation] = []
    var devices: [UInt64] = []
  }

  private var cache = FolderCache()
  private var name = [CChar](repeating: 0, count: 256)
  private let places: SurveyedPlaces

  init(_ places: SurveyedPlaces) { self.places = places }

  mutating func look(at files: ArraySlice<FileEntry>) -> Piece {
    var piece = Piece()
    piece.observations.reserveCapacity(files.count)
    piece.devices.reserveCapacity(files.count)
    for file in files {
      let (observation, device) = look(at: file.destination)
      piece.observations.append(observation)
      piece.devices.append(device)
    }
    return piece
  }

  /// What is there, and the file system of the nearest folder that exists (0: unknown).
  mutating func look(at destination: Destination) -> (observation: Observation, device: UInt64) {
    guard destination.path.utf8.count < Int(PATH_MAX) else { return (.nameTooLong, 0) }
    return Self.withBytes(of: destination) { path in
      let slash = Self.lastSlash(path)
      let length = path.count - slash - 1
      let place = place(path, slash, destination)
      // No file system of Linux has longer names; where they are shorter the kernel says so.
      guard length <= 255 else { return (.nameTooLong, place.device) }
      let observation = name.withUnsafeMutableBytes { buffer in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(path)[(slash + 1)...]))
        buffer[length] = 0
        return place.look(buffer.baseAddress!.assumingMemoryBound(to: CChar.self))
      }
      return (observation, place.device)
    }
  }

  /// The folder of a destination.
  mutating func place(of destination: Destination) -> FolderCache.Place {
    Self.withBytes(of: destination) { path in place(path, Self.lastSlash(path), destination) }
  }

  private mutating func place(
    _ path: UnsafeBufferPointer<UInt8>, _ slash: Int, _ destination: Destination
  ) -> FolderCache.Place {
    let folder = UnsafeBufferPointer(rebasing: path[...slash])
    let places = places
    return cache.place(folder, rootLength: destination.rootByteCount, of: destination) { places.open($0) }
  }

  private static func lastSlash(_ path: UnsafeBufferPointer<UInt8>) -> Int {
    var slash = path.count - 1
    while path[slash] != UInt8(ascii: "/") { slash -= 1 }
    return slash
  }

  private static func withBytes<Result>(
    of destination: Destination, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    if let result = destination.path.utf8.withContiguousStorageIfAvailable(body) { return result }
    // A text that is not stored as UTF-8 in one piece.
    return Array(destination.path.utf8).withUnsafeBufferPointer(body)
  }
}
