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
      file.lendPath { path in
        let (observation, device) = look(at: path.bindMemory(to: UInt8.self), rootLength: file.rootByteCount) {
          file.destination
        }
        piece.observations[index - files.startIndex] = observation
        piece.devices[index - files.startIndex] = device
      }
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
    var folders: [UInt32] = []
    folders.reserveCapacity(files.count)
    for file in files {
      file.lendPath { path in
        let path = path.bindMemory(to: UInt8.self)
        folders.append(UnsafeBufferPointer(rebasing: path[...lastSlash(path)]).folderHash)
      }
    }
    var changes = 0
    for index in folders.indices.dropFirst() where folders[index] != folders[index - 1] { changes += 1 }
    guard changes > FolderCache.size else { return Array(files.indices) }
    return grouped(folders).map { files.startIndex + $0 }
  }

  /// The places of numbers, equal ones one behind the other but for few: by their upper bits, because the cache of folders
  /// goes by the lower ones.
  private static func grouped(_ numbers: [UInt32]) -> [Int] {
    var ends = [Int](repeating: 0, count: 4096)
    for number in numbers { ends[Int(number >> 20)] += 1 }
    var end = 0
    for group in ends.indices {
      end += ends[group]
      ends[group] = end
    }
    var order = [Int](repeating: 0, count: numbers.count)
    for place in numbers.indices.reversed() {
      let group = Int(numbers[place] >> 20)
      ends[group] -= 1
      order[ends[group]] = place
    }
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
