/// What a lock file pins: for each file the URL, the length and the digest that it had when the file was locked.
public struct ManifestLock: Sendable {
  /// The pin of one file.
  public struct Line: Hashable, Sendable {
    /// As written below the manifest's root; the whole path where it was written as one. Of a managed file, whose path is
    /// another one on each machine, `managed://` and the URL.
    public var destination: String { place.text }
    private let place: BytewiseText
    /// Without credentials: the file is meant for version control.
    public var url: String { source.text }
    private let source: BytewiseText
    /// The length.
    public let size: ByteCount
    /// SHA-256 of the whole file.
    public let sha256: Digest
    /// The entity tag that came with it, quotes included.
    public let entityTag: String?
    /// The Last-Modified date that came with it, as sent.
    public let lastModified: String?

    /// Takes every part.
    public init(
      destination: String, url: String, size: ByteCount, sha256: Digest, entityTag: String? = nil,
      lastModified: String? = nil
    ) {
      place = BytewiseText(destination)
      source = BytewiseText(url)
      self.size = size
      self.sha256 = sha256
      self.entityTag = entityTag
      self.lastModified = lastModified
    }
  }

  /// At most one for each destination.
  public let lines: [Line]

  /// Takes the lines in any order.
  public init(_ lines: [Line]) { self.lines = lines }

  /// Where the lock file of a manifest lies: beside it, its name ending in `.lock` instead of `.yaml` or `.yml`. Nil for
  /// standard input.
  public static func path(of manifest: String) -> String? {
    guard manifest != "-" else { return nil }
    for suffix in [".yaml", ".yml"] where manifest.hasSuffix(suffix) && !manifest.hasSuffix("/" + suffix) {
      return manifest.dropLast(suffix.count) + ".lock"
    }
    return manifest + ".lock"
  }
}

/// How far a lock file covers the files of its manifest.
public struct LockCoverage: Sendable {
  /// The lock file as it is named to people.
  public let source: String
  /// Files without a line that fits, as indexes into the manifest's files, ascending.
  public let uncovered: [Int]
  /// Files whose size stands in the manifest as well.
  package let declaredSizes: Set<TaskID>
  /// Files whose SHA-256 stands in the manifest as well.
  package let declaredDigests: Set<TaskID>

  /// Takes every part.
  public init(
    source: String, uncovered: [Int], declaredSizes: Set<TaskID> = [], declaredDigests: Set<TaskID> = []
  ) {
    self.source = source
    self.uncovered = uncovered
    self.declaredSizes = declaredSizes
    self.declaredDigests = declaredDigests
  }
}

extension ManifestLock.Line {
  /// Whether the line is about this file as the manifest has it now: the same place and URL, and nothing declared that
  /// speaks against it.
  package func fits(_ entry: FileEntry, of manifest: Manifest) -> Bool {
    BytewiseText(destination) == BytewiseText(manifest.lockedName(of: entry))
      && BytewiseText(url) == BytewiseText(Redaction.storable(entry.url.text)) && agrees(with: entry)
  }

  /// The same pin for another file of the same URL.
  package func moved(to destination: String) -> ManifestLock.Line {
    ManifestLock.Line(
      destination: destination, url: url, size: size, sha256: sha256, entityTag: entityTag,
      lastModified: lastModified)
  }

  private func agrees(with entry: FileEntry) -> Bool {
    (entry.size == nil || entry.size == size)
      && entry.checksums.allSatisfy { $0.algorithm != .sha256 || $0 == sha256 }
  }

  /// The entry held to this line.
  fileprivate func pin(_ entry: FileEntry) -> FileEntry {
    let checksums = entry.checksums
    return entry.pinned(size: size, checksums: checksums.contains(sha256) ? checksums : checksums + [sha256])
  }
}

extension ManifestLock {
  /// Lines by their destination.
  package var byDestination: [BytewiseText: Line] {
    Dictionary(lines.map { (BytewiseText($0.destination), $0) }) { first, _ in first }
  }

  /// One line for each URL.
  package var byURL: [BytewiseText: Line] {
    Dictionary(lines.map { (BytewiseText($0.url), $0) }) { first, _ in first }
  }
}

extension FileEntry {
  /// The destination below the root, or the whole path; of a managed file, which lies elsewhere on each machine, its URL.
  package func nameOnEveryMachine(managedFolder: String?) -> String {
    guard let managedFolder, destination.rootByteCount == 0,
      destination.path.beginsBytewise(with: managedFolder + "/")
    else { return destination.relativePath }
    return "managed://" + Redaction.resource(url.text, isSigned: Redaction.isSigned(url.text))
  }
}

extension Manifest {
  /// What a lock file calls the destination of a file: the same on every machine, for it is meant for version control.
  package func lockedName(of entry: FileEntry) -> String {
    entry.nameOnEveryMachine(managedFolder: managedFolder)
  }

  /// The manifest with each file held to its line. A file without one is held to the line of another file of its URL,
  /// because one URL cannot be asked for two versions; it counts as not covered all the same.
  package func held(to lock: ManifestLock, source: String) -> Manifest {
    let byDestination = lock.byDestination
    var held = self
    var packer = EntryPacker()
    var uncovered: [Int] = []
    var (declaredSizes, declaredDigests): (Set<TaskID>, Set<TaskID>) = ([], [])
    for (index, entry) in files.enumerated() {
      if entry.size != nil { declaredSizes.insert(entry.id) }
      if entry.checksums.contains(where: { $0.algorithm == .sha256 }) { declaredDigests.insert(entry.id) }
      if let line = byDestination[BytewiseText(lockedName(of: entry))], line.fits(entry, of: self) {
        packer.append(line.pin(entry))
      } else {
        packer.append(entry)
        uncovered.append(index)
      }
    }
    held.files = packer.finish()
    let byURL = uncovered.isEmpty ? [:] : lock.byURL
    for index in uncovered {
      let url = BytewiseText(Redaction.storable(files[index].url.text))
      guard let line = byURL[url]?.moved(to: lockedName(of: files[index])), line.fits(files[index], of: self)
      else { continue }
      held.files[index] = line.pin(files[index])
    }
    held.lock = LockCoverage(
      source: source, uncovered: uncovered, declaredSizes: declaredSizes, declaredDigests: declaredDigests)
    return held
  }
}
