import DLSyncModel
import DLSyncSystem
import Glibc

/// The folders that one thread of a survey has open: a manifest names many files of one folder, mostly one after another.
struct FolderCache {
  /// A folder as the survey needs it.
  struct Place {
    /// The folder, or why it could not be had.
    let folder: Result<Folder, FolderTrouble>
    /// The folder, or the nearest one that exists; nil where the way there is blocked.
    let nearest: FolderIdentity?
    /// What is missing between that one and the folder.
    let rest: String

    /// The file system that a file in it would be on; 0 where that is not known.
    var device: UInt64 { nearest?.device ?? 0 }

    /// What is seen at a name in it. The buffer holds the name and a NUL.
    func look(_ name: UnsafePointer<CChar>) -> Observation {
      switch folder {
      case .failure(let trouble): return trouble.observation
      case .success(let folder):
        var result = stat()
        if fstatat(folder.descriptor, name, &result, AT_SYMLINK_NOFOLLOW) == 0 { return result.observation }
        return Observation(failure: .last)
      }
    }
  }

  private struct Slot {
    var key: [UInt8] = []
    var rootLength = -1
    var place: Place?
  }

  /// As many descriptors as each thread holds open at most.
  static let size = 64
  private var slots = [Slot](repeating: Slot(), count: size)
  private var last = 0

  /// The folder of a destination whose path up to its last slash is `key`.
  mutating func place(
    _ key: UnsafeBufferPointer<UInt8>, rootLength: Int, _ open: () -> Place
  ) -> Place {
    if matches(last, key, rootLength), let place = slots[last].place { return place }
    last = Int(key.folderHash % UInt32(Self.size))
    if matches(last, key, rootLength), let place = slots[last].place { return place }
    let place = open()
    slots[last] = Slot(key: Array(key), rootLength: rootLength, place: place)
    return place
  }

  private func matches(_ index: Int, _ key: UnsafeBufferPointer<UInt8>, _ rootLength: Int) -> Bool {
    guard slots[index].rootLength == rootLength, slots[index].key.count == key.count else { return false }
    return slots[index].key.withUnsafeBufferPointer { memcmp($0.baseAddress!, key.baseAddress!, key.count) == 0 }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A number by which folders are told apart quickly (FNV-1a).
  var folderHash: UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in self { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash ^ hash >> 15
  }
}

extension Observation {
  /// What a survey says of a name that could not be looked at.
  init(failure trouble: SystemTrouble) {
    self =
      switch trouble.number {
      case ENOENT: .absent
      case ENAMETOOLONG: .nameTooLong
      default: .inaccessible(trouble.text)
      }
  }
}
