/// A disk of which only what was flushed is certain to outlast a loss of power: data by the flush of a file, names by the flush
/// of their folder, as POSIX promises and no more.
struct VolatileDisk {
  /// What a loss of power may leave.
  enum Image: String, CaseIterable {
    /// Nothing that was not flushed.
    case onlyFlushed
    /// All names, but of the data only what was flushed: new files are there, and empty.
    case namesFirst
    /// The same, with zeros where data was to come.
    case namesAndLengths
    /// All data, but of the names only what was flushed.
    case dataFirst
  }

  private struct File {
    var data: [UInt8] = []
    var flushed: [UInt8]?
  }

  private struct Names: Equatable {
    var files: [String: Int] = [:]
    var folders: Set<String> = []
  }

  private var files: [File] = []
  private var now = Names()
  private var flushed = Names()

  /// Whatever is there at the beginning is flushed.
  init(files: [String: [UInt8]], folders: Set<String>) {
    for (path, bytes) in files {
      now.files[path] = self.files.count
      self.files.append(File(data: bytes, flushed: bytes))
    }
    now.folders = folders
    flushed = now
  }

  mutating func apply(_ effect: Effect) {
    switch effect {
    case .made(let path, let truncating):
      if let file = now.files[path] {
        if truncating { files[file].data = [] }
      } else if now.folders.contains(parent(of: path)) {
        now.files[path] = files.count
        files.append(File())
      }
    case .folderMade(let path): if now.folders.contains(parent(of: path)) { now.folders.insert(path) }
    case .appended(let path, let bytes): change(path) { $0 += bytes }
    case .written(let path, let bytes, let offset): change(path) { $0.write(bytes, at: offset) }
    case .cut(let path, let length):
      change(path) { $0 = Array($0.prefix(length)) + [UInt8](repeating: 0, count: max(0, length - $0.count)) }
    case .copied(let from, let to, let offset, let length):
      guard let source = now.files[from] else { return }
      let bytes = Array(files[source].data[offset..<offset + length])
      change(to) { $0.write(bytes, at: offset) }
    case .moved(let from, let to): now.files[to] = now.files.removeValue(forKey: from)
    case .exchanged(let left, let right): (now.files[left], now.files[right]) = (now.files[right], now.files[left])
    case .linked(let from, let to): now.files[to] = now.files[from]
    case .removed(let path): now.files[path] = nil
    case .flushed(let path): flush(path)
    case .allFlushed:
      for index in files.indices { files[index].flushed = files[index].data }
      flushed = now
    }
  }

  /// The files that a loss of power right now leaves, by path.
  func files(after image: Image) -> [String: [UInt8]] {
    let names = image == .onlyFlushed || image == .dataFirst ? flushed : now
    var left: [String: [UInt8]] = [:]
    for (path, file) in names.files where isReachable(parent(of: path), names) {
      let (data, flushed) = (files[file].data, files[file].flushed ?? [])
      switch image {
      case .dataFirst: left[path] = data
      case .onlyFlushed, .namesFirst: left[path] = flushed
      case .namesAndLengths: left[path] = flushed + [UInt8](repeating: 0, count: max(0, data.count - flushed.count))
      }
    }
    return left
  }

  private func isReachable(_ folder: String, _ names: Names) -> Bool {
    names.folders.contains(folder) && (folder == "/" || isReachable(parent(of: folder), names))
  }

  private mutating func change(_ path: String, _ body: (inout [UInt8]) -> Void) {
    if let file = now.files[path] { body(&files[file].data) }
  }

  private mutating func flush(_ path: String) {
    if let file = now.files[path] {
      files[file].flushed = files[file].data
      return
    }
    guard now.folders.contains(path) else { return }
    flushed.files = flushed.files.filter { parent(of: $0.key) != path }
    for (name, file) in now.files where parent(of: name) == path { flushed.files[name] = file }
    for folder in now.folders where folder != "/" && parent(of: folder) == path { flushed.folders.insert(folder) }
  }

  private func parent(of path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }
}

extension [UInt8] {
  fileprivate mutating func write(_ bytes: [UInt8], at offset: Int) {
    if count < offset + bytes.count { self += [UInt8](repeating: 0, count: offset + bytes.count - count) }
    replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
