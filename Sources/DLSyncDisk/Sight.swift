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

  /// Folder by folder, whatever the order of the files: a folder is opened once for each piece of a manifest.
  mutating func look(at files: ArraySlice<FileEntry>) -> Piece {
    var piece = Piece()
    piece.observations = [Observation](repeating: .absent, count: files.count)
    piece.devices = [UInt64](repeating: 0, count: files.count)
    for index in Self.byFolder(files) {
      let file = files[index]
      let (observation, device) = file.pathBytes.withUnsafeBufferPointer { path in
        look(at: path, rootLength: file.rootByteCount) { file.destination }
      }
      piece.observations[index - files.startIndex] = observation
      piece.devices[index - files.startIndex] = device
    }
    return piece
  }

  /// What is there, and the file system of the nearest folder that exists (0: unknown).
  mutating func look(at destination: Destination) -> (observation: Observation, device: UInt64) {
    Self.withBytes(of: destination) { look(at: $0, rootLength: destination.rootByteCount) { destination } }
  }

  private mutating func look(
    at path: UnsafeBufferPointer<UInt8>, rootLength: Int, _ destination: () -> Destination
  ) -> (observation: Observation, device: UInt64) {
    guard path.count < Int(PATH_MAX) else { return (.nameTooLong, 0) }
    let slash = Self.lastSlash(path)
    let length = path.count - slash - 1
    let place = place(path, slash, rootLength, destination)
    // No file system of Linux has longer names; where they are shorter the kernel says so.
    guard length <= 255 else { return (.nameTooLong, place.device) }
    let observation = name.withUnsafeMutableBytes { buffer in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(path)[(slash + 1)...]))
      buffer[length] = 0
      return place.look(buffer.baseAddress!.assumingMemoryBound(to: CChar.self))
    }
    return (observation, place.device)
  }

  /// The folder of a destination.
  mutating func place(of destination: Destination) -> FolderCache.Place {
    Self.withBytes(of: destination) { path in
      place(path, Self.lastSlash(path), destination.rootByteCount) { destination }
    }
  }

  private mutating func place(
    _ path: UnsafeBufferPointer<UInt8>, _ slash: Int, _ rootLength: Int, _ destination: () -> Destination
  ) -> FolderCache.Place {
    let folder = UnsafeBufferPointer(rebasing: path[...slash])
    let places = places
    return cache.place(folder, rootLength: rootLength) { places.open(destination()) }
  }

  /// The files in an order in which those of one folder follow one another: as they are, where they do so already.
  private static func byFolder(_ files: ArraySlice<FileEntry>) -> [Int] {
    var order = Array(files.indices)
    let folders = files.map { file in
      file.pathBytes.withUnsafeBufferPointer { path in
        UnsafeBufferPointer(rebasing: path[...lastSlash(path)]).folderHash
      }
    }
    var changes = 0
    for index in folders.indices.dropFirst() where folders[index] != folders[index - 1] { changes += 1 }
    guard changes > FolderCache.size else { return order }
    let first = files.startIndex
    order.sort { (folders[$0 - first], $0) < (folders[$1 - first], $1) }
    return order
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
