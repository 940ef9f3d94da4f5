import CPosix
import DLSyncModel
import DLSyncSystem
import Glibc

/// The way to one folder: from `/` with all links followed, or from a root that it may not leave.
struct FolderWalk {
  /// The root, or nil for an absolute path.
  let root: Folder?
  /// Absolute, or relative to the root.
  let path: String

  /// Opens the folder in one call where it is there; looks closer only where it is not.
  func open(creating: Bool) throws(FolderTrouble) -> Folder {
    let found: Int32
    do throws(SystemTrouble) { found = try descriptor(path) } catch {
      return try descend(creating: creating)
    }
    return Folder(descriptor: found, path: text(path), made: (root?.made ?? []) + UnsettledFolders.way(to: found))
  }

  /// Goes component by component, makes what is missing, and finds out which of them is the trouble.
  private func descend(creating: Bool) throws(FolderTrouble) -> Folder {
    var parent: Int32
    do throws(SystemTrouble) { parent = try descriptor(root == nil ? "/" : "") } catch {
      throw .system(error, text(path))
    }
    defer { close(parent) }
    var prefix = root == nil ? "/" : ""
    var made = root?.made ?? []
    let components = path.pathComponents
    for (index, component) in components.enumerated() {
      prefix += (prefix.isEmpty || prefix == "/" ? "" : "/") + component
      let name = String(component)
      if creating {
        if try make(name, in: parent, prefix) { made = UnsettledFolders.note(name, in: parent, below: made) }
      } else if case .failure(let trouble) = look(parent, name) {
        throw missing(trouble, prefix, parent: parent, rest: components[index...])
      }
      do throws(SystemTrouble) {
        let next = try descriptor(prefix)
        close(parent)
        parent = next
      } catch {
        throw judged(error, prefix)
      }
    }
    let result = uninterrupted { openat(parent, ".", folderFlags) }
    guard result >= 0 else { throw .system(.last, text(path)) }
    return Folder(descriptor: result, path: text(path), made: made)
  }

  /// Makes one folder unless there is something already; whether it did.
  private func make(_ name: String, in parent: Int32, _ prefix: String) throws(FolderTrouble) -> Bool {
    if mkdirat(parent, name, 0o777) == 0 { return true }
    let trouble = SystemTrouble.last
    switch trouble.number {
    case EEXIST: return false
    case ENAMETOOLONG: throw .nameTooLong
    default:
      // A read-only file system or a folder without write permission says no before it says that the name is there.
      if case .success = look(parent, name) { return false }
      throw .system(trouble, text(prefix))
    }
  }

  private func look(_ parent: Int32, _ name: String) -> Result<stat, SystemTrouble> {
    do throws(SystemTrouble) { return .success(try status(parent, name)) } catch { return .failure(error) }
  }

  /// A component could not be looked at. Where it is merely missing, what is to be made below it must not be too long.
  private func missing(
    _ trouble: SystemTrouble, _ prefix: String, parent: Int32, rest: ArraySlice<Substring>
  ) -> FolderTrouble {
    guard trouble.number == ENOENT else { return judged(trouble, prefix) }
    for name in rest {
      if case .failure(SystemTrouble(ENAMETOOLONG)) = look(parent, String(name)) { return .nameTooLong }
    }
    guard let nearest = try? FolderIdentity(parent) else { return .system(trouble, prefix) }
    return .absent(below: nearest, rest: rest.joined(separator: "/"))
  }

  private func judged(_ trouble: SystemTrouble, _ prefix: String) -> FolderTrouble {
    switch trouble.number {
    // The name is there, for it was looked at or made just before; so it is a link to nowhere.
    case ENOTDIR, ELOOP, ENOENT: .noFolder(text(prefix))
    case EXDEV: .leavesRoot(text(prefix))
    case ENAMETOOLONG: .nameTooLong
    default: .system(trouble, text(prefix))
    }
  }

  private func text(_ path: String) -> String {
    guard let root else { return path }
    if path.isEmpty { return root.path }
    return root.path == "/" ? "/" + path : root.path + "/" + path
  }

  private func descriptor(_ path: String) throws(SystemTrouble) -> Int32 {
    guard let root else {
      let result = uninterrupted { Glibc.open(path, folderFlags) }
      guard result >= 0 else { throw .last }
      return result
    }
    return try openBeneath(root.descriptor, path.isEmpty ? "." : path, folderFlags)
  }
}

/// How folders are opened to look things up in them.
let folderFlags = dl_o_path | O_DIRECTORY | O_CLOEXEC

/// Opens a path that may not lead out of the folder, neither by `..` nor through a link.
func openBeneath(_ folder: Int32, _ path: String, _ flags: Int32) throws(SystemTrouble) -> Int32 {
  // Any rename or mount in the system may make the kernel unsure about a `..` in a link (EAGAIN); it is asked again.
  for _ in 0..<16 {
    let result = uninterrupted { dl_openat2_beneath(folder, path, flags) }
    if result >= 0 { return result }
    if errno != EAGAIN { break }
  }
  // EXDEV: an absolute link may still lead to a place inside. The others: a kernel or a sandbox without the call.
  guard [EXDEV, EAGAIN, ENOSYS, EPERM].contains(errno) else { throw .last }
  let opened = uninterrupted { openat(folder, path, flags) }
  guard opened >= 0 else { throw .last }
  if let root = canonicalPath(of: folder), let found = canonicalPath(of: opened),
    root == "/" || found.hasSameBytes(as: root) || found.beginsBytewise(with: root + "/")
  {
    return opened
  }
  close(opened)
  throw SystemTrouble(EXDEV)
}

/// Where an open file lies now, all links resolved; nil where the system does not tell.
private func canonicalPath(of descriptor: Int32) -> String? {
  let count = Int(PATH_MAX)
  return withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { buffer in
    let length = readlink("/proc/self/fd/\(descriptor)", buffer.baseAddress!, count)
    guard length > 0, length < count else { return nil }
    return String(validating: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
