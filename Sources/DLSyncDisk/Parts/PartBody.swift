import DLSyncModel
import DLSyncSystem
import DLSyncThreading
import Glibc

/// Where the bytes of a part file are: in a file beside the destination, or in memory as long as they are few.
///
/// A short file need not be on the disk before it is complete: it is made by the thread that publishes, and the one that
/// transfers many of them is spared the work. Whoever needs a file has it made (`makeFile`).
final class PartBody: Sendable {
  /// A part file that belongs to this process.
  struct File: Sendable {
    let descriptor: SharedDescriptor
    /// The name in the destination's folder.
    let name: String
    /// Whether it is the usual one, under which a later run looks for it.
    let isUsual: Bool
    /// Whether it was made and not taken over.
    let isNew: Bool
    /// Bytes that were there.
    let size: Int64
  }

  private enum State {
    case held([UInt8])
    case onDisk(File)
    /// Somebody makes the file, or nobody needs one any more; what it was called.
    case none(name: String?)

    var name: String? {
      switch self {
      case .held: nil
      case .onDisk(let file): file.name
      case .none(let name): name
      }
    }
  }

  let folder: Folder
  private let id: TaskID
  private let mode: mode_t
  private let keepsExisting: Bool
  private let room: HeldBytes?
  private let state: Locked<State>

  /// A body that has no file yet. `mode` is that of a new one, `keepsExisting` leaves what is in one that is taken over, and
  /// without `room` nothing is held.
  init(_ id: TaskID, in folder: Folder, mode: mode_t, keepsExisting: Bool, room: HeldBytes?) {
    self.folder = folder
    self.id = id
    self.mode = mode
    self.keepsExisting = keepsExisting
    self.room = room
    state = Locked(.held([]))
  }

  deinit { close() }

  /// The name that the file has or had; the usual one where there was none yet.
  var name: String { state.withLock { $0.name } ?? PartClaim.name(id) }

  /// Nil as long as there is none, and when it was closed.
  var file: File? { state.withLock { state in if case .onDisk(let file) = state { file } else { nil } } }

  /// Keeps bytes in memory; false where they belong into a file, or are too many.
  func hold(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    guard let room else { return false }
    return state.withLock { state in
      guard case .held(var held) = state, offset == held.count, held.count + bytes.count <= HeldBytes.most,
        room.take(bytes.count)
      else { return false }
      state = .none(name: nil)
      held.append(contentsOf: bytes)
      state = .held(held)
      return true
    }
  }

  /// Whether there is no file yet.
  var isHeld: Bool { state.withLock { state in if case .held = state { true } else { false } } }

  /// Drops what is held behind an offset; false where there is a file.
  func cutHeld(to length: Int64) -> Bool {
    state.withLock { state in
      guard case .held(var held) = state else { return false }
      if length < held.count {
        room?.give(held.count - Int(length))
        held.removeSubrange(Int(length)...)
        state = .held(held)
      }
      return true
    }
  }

  /// The file, made and filled now if it was not there. Throws EEXIST where both names that it may have are somebody else's.
  @discardableResult
  func makeFile() throws(SystemTrouble) -> File {
    let (held, there) = state.withLock { state -> ([UInt8]?, File?) in
      switch state {
      case .held(let bytes):
        state = .none(name: nil)
        return (bytes, nil)
      case .onDisk(let file): return (nil, file)
      case .none: return (nil, nil)
      }
    }
    if let there { return there }
    guard let held else { throw SystemTrouble(EBADF) }
    do throws(SystemTrouble) {
      let file = try make(held)
      state.withLock { $0 = .onDisk(file) }
      room?.give(held.count)
      return file
    } catch {
      state.withLock { $0 = .held(held) }
      throw error
    }
  }

  /// Runs a call with the descriptor of the file.
  func use<Value>(_ body: (Int32) throws(SystemTrouble) -> Value) throws(SystemTrouble) -> Value {
    try makeFile().descriptor.use(body)
  }

  /// Gives up what is held, and the descriptor.
  func close() {
    let last = state.withLock { state -> State in
      defer { state = .none(name: state.name) }
      return state
    }
    switch last {
    case .held(let bytes): room?.give(bytes.count)
    case .onDisk(let file): file.descriptor.close()
    case .none: break
    }
  }

  private func make(_ held: [UInt8]) throws(SystemTrouble) -> File {
    for isUsual in [true, false] {
      let name = isUsual ? PartClaim.name(id) : PartClaim.ownName(id)
      guard let taken = try PartClaim.take(name, in: folder, mode: mode) else { continue }
      let descriptor = SharedDescriptor(taken.descriptor)
      do throws(SystemTrouble) {
        try descriptor.use { descriptor throws(SystemTrouble) in
          if !keepsExisting, taken.size > 0, uninterrupted({ ftruncate(descriptor, 0) }) != 0 { throw .last }
          let written = held.withUnsafeBytes { bytes in
            Result { () throws(SystemTrouble) in try writeFully(descriptor, bytes, at: 0) }
          }
          try written.get()
        }
      } catch {
        unlinkat(folder.descriptor, name, 0)
        throw error
      }
      let size = keepsExisting ? taken.size : 0
      return File(descriptor: descriptor, name: name, isUsual: isUsual, isNew: taken.isNew, size: size)
    }
    throw SystemTrouble(EEXIST)
  }
}

/// How many bytes of a run's unfinished files are in memory.
package final class HeldBytes: Sendable {
  /// Of one file at most.
  package static let most = 64 << 10
  /// Of all of them.
  private static let mostOfAll: Int64 = 4 << 20

  private let held = Counter()

  package init() {}

  func take(_ count: Int) -> Bool {
    guard held.value + Int64(count) <= Self.mostOfAll else { return false }
    held.add(Int64(count))
    return true
  }

  func give(_ count: Int) { held.add(-Int64(count)) }
}
