internal import DLSyncDisk
internal import DLSyncManifest
internal import DLSyncModel
internal import DLSyncThreading

/// Published checksums whose lists lie on this machine: they are looked up before anything is planned, so that a plan
/// knows them like any other. What cannot be looked up is left for the run to tell.
struct LocalLists {
  private var lists: [BytewiseText: PublishedList?] = [:]
  /// What is left of shared settings once their lists were read.
  private var options: [ObjectIdentifier: FileOptions] = [:]

  /// Ends the waiting for a list that is a pipe.
  private let cancel: CancelToken?

  /// The manifest with every checksum that a local list has.
  static func resolve(_ manifest: Manifest, cancel: CancelToken? = nil) -> Manifest {
    guard manifest.files.contains(where: { $0.options.hasLocalList }) else { return manifest }
    var shelf = LocalLists(cancel: cancel)
    var resolved = manifest
    var packer = EntryPacker()
    for file in manifest.files { packer.append(file.options.hasLocalList ? shelf.resolve(file) : file) }
    resolved.files = packer.finish()
    return resolved
  }

  private init(cancel: CancelToken?) { self.cancel = cancel }

  private mutating func resolve(_ entry: FileEntry) -> FileEntry {
    var checksums = entry.checksums
    var settings = entry.options.settings
    settings.listedChecksums = []
    for listed in entry.options.settings.listedChecksums {
      if case .file(let path) = listed.place, let list = list(path),
        case .success(let digest) = list.digest(of: entry.name(in: listed), algorithm: listed.algorithm)
      {
        if !checksums.contains(digest) { checksums.append(digest) }
      } else {
        settings.listedChecksums.append(listed)
      }
    }
    let isWhole = settings.listedChecksums.isEmpty
    let key = ObjectIdentifier(entry.options)
    let options = (isWhole ? self.options[key] : nil) ?? FileOptions(settings)
    if isWhole { self.options[key] = options }
    return entry.replacing(checksums: checksums, options: options)
  }

  private mutating func list(_ path: String) -> PublishedList? {
    if let known = lists[BytewiseText(path)] { return known }
    let list = (try? FileText.read(path, limit: ListShelf.sizeLimit, cancel: cancel)).map { PublishedList($0) }
    lists[BytewiseText(path)] = .some(list)
    return list
  }
}

extension FileOptions {
  fileprivate var hasLocalList: Bool {
    listMark != 0
      && settings.listedChecksums.contains { if case .file = $0.place { true } else { false } }
  }
}
