import Glibc

/// The names in a folder, in no order and without `.` and `..`. What is not UTF-8 is nobody's.
package enum FolderNames {
  /// Those of the folder at a path; none where it cannot be read.
  package static func of(_ path: String) -> [String] { of(descriptor: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) }

  /// Those that are wanted of an open folder, which is closed afterwards. A negative descriptor, of a folder that could not
  /// be opened, has none.
  package static func of(descriptor: Int32, where isWanted: (String) -> Bool = { _ in true }) -> [String] {
    guard descriptor >= 0, let stream = fdopendir(descriptor) else {
      if descriptor >= 0 { close(descriptor) }
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      if let name, name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    return names
  }
}
