internal import DLSyncDisk
internal import DLSyncManifest
public import DLSyncModel
internal import DLSyncStore

/// One state folder, and the manifests that are planned and applied on it: the front door of the library.
///
/// ```swift
/// let workspace = Workspace(stateFolder: "/var/lib/mirror", environment: environment)
/// let manifest = try workspace.load("manifest.yaml", variables: [:])
/// let plan = try await workspace.plan(manifest, PlanOptions())
/// ```
public struct Workspace: Sendable {
  /// Where the record lies, an absolute path.
  public let stateFolder: String
  let environment: [String: String]
  /// What all runs of the process on this folder may have open together.
  let openFiles = OpenFileBudget()
  /// Whether this process is a dlsync that may start another one as the agent. A program that uses the library is none.
  public var launchesAgent = false
  /// Where bytes of finished files are kept for other destinations and manifests, an absolute path; nil keeps none.
  public var cacheFolder: String?

  /// Nothing is made or opened until something needs it. `stateFolder` is a path, from the working folder where it is
  /// relative.
  public init(stateFolder: String, environment: [String: String]) {
    self.stateFolder = WorkingFolder.folder(stateFolder)
    self.environment = environment
  }

  /// `DLSYNC_STATE`, else `$XDG_STATE_HOME/dlsync`, else `~/.local/state/dlsync`. Throws `usage` where none is known.
  public static func defaultStateFolder(environment: [String: String]) throws(DLSyncError) -> String {
    if let own = environment["DLSYNC_STATE"], !own.isEmpty { return own }
    // The XDG base directory specification: a relative value is to be ignored.
    if let state = environment["XDG_STATE_HOME"], state.isAbsolutePath { return state + "/dlsync" }
    if let home = environment["HOME"], !home.isEmpty { return home + "/.local/state/dlsync" }
    throw DLSyncError(
      .usage, "there is no place for the state: HOME is not set",
      hint: "give a folder with --state DIR or DLSYNC_STATE")
  }

  /// Reads and checks a manifest, the lists of its `filesFrom` and the lock file beside it, if there is one; `-` is standard
  /// input, and a pipe that lies in no folder (`/dev/fd/63`) is read like that. Files are held to their pins. Contacts
  /// nothing, writes nothing.
  public func load(_ path: String, variables: [String: String]) throws(ManifestLoadFailure) -> Manifest {
    let (manifest, lock) = try loadWithLock(path, variables: variables)
    guard let lock, let source = Self.lockPath(of: path) else { return manifest }
    return manifest.held(to: lock, source: source)
  }

  /// The same without holding the files to anything.
  public func loadWithLock(
    _ path: String, variables: [String: String]
  ) throws(ManifestLoadFailure) -> (manifest: Manifest, lock: ManifestLock?) {
    let manifest = try decode(path, variables: variables)
    guard let lock = Self.lockPath(of: path) else { return (manifest, nil) }
    let bytes: [UInt8]?
    do throws(DLSyncError) {
      bytes = try FileText.readIfPresent(lock, limit: Self.manifestLimit)
    } catch {
      throw .unreadable(error)
    }
    guard let bytes else { return (manifest, nil) }
    do throws(ManifestError) {
      return (manifest, try LockDecoder(source: lock).decode(bytes))
    } catch {
      throw .invalid(error)
    }
  }

  private func decode(_ path: String, variables: [String: String]) throws(ManifestLoadFailure) -> Manifest {
    let (context, bytes) = try read(path, variables: variables)
    do throws(ManifestError) {
      return try ManifestDecoder(context: context).decode(bytes)
    } catch {
      throw .invalid(error)
    }
  }

  /// Where the lock file of a manifest lies; nil where the manifest itself lies nowhere.
  static func lockPath(of manifest: String) -> String? {
    FileText.isUnnamedStream(manifest) ? nil : ManifestLock.path(of: manifest)
  }

  /// Whether a manifest can be read only once: standard input, or a pipe.
  public static func isReadOnce(_ path: String) -> Bool { path == "-" || FileText.isStream(path) }

  /// The bytes of a manifest, and what they are read with.
  func read(
    _ path: String, variables: [String: String]
  ) throws(ManifestLoadFailure) -> (context: ManifestContext, bytes: [UInt8]) {
    let bytes: [UInt8]
    let canonicalPath: String
    let isUnnamed = path == "-" || FileText.isUnnamedStream(path)
    do throws(DLSyncError) {
      if path == "-" {
        bytes = try FileText.readStandardInput(limit: Self.manifestLimit)
        canonicalPath = try FileText.canonicalPath(".") + "/-"
      } else {
        bytes = try FileText.read(path, limit: Self.manifestLimit)
        canonicalPath = isUnnamed ? try FileText.canonicalPath(".") + "/-" : try FileText.canonicalPath(path)
      }
    } catch {
      throw .unreadable(error)
    }
    let context = ManifestContext(
      source: path, canonicalPath: canonicalPath, isUnnamed: isUnnamed, environment: environment, variables: variables,
      managedFolder: stateFolder + "/files",
      openList: { (path) throws(DLSyncError) in FileListStream(try FileBlocks(path)) })
    return (context, bytes)
  }

  /// The JSON Schema of manifests, as text.
  public static var manifestSchema: String { ManifestSchema.text }

  /// Writes a text file that is not there yet; one that is there stays as it is (`destinationExists`).
  public static func create(_ path: String, _ text: String) throws(DLSyncError) {
    try FileText.create(path, Array(text.utf8))
  }

  var cache: ContentCache? { cacheFolder.map { ContentCache(folder: $0) } }

  /// Where the locks of running queues lie.
  var locksFolder: String { stateFolder + "/run" }

  /// No manifest that a person or program writes is larger: about four million entries.
  private static let manifestLimit = 2 << 30

  /// What apply would do. Contacts no server, unless the options ask for a refresh. Changes nothing on disk, not even
  /// the state.
  @concurrent public func plan(_ manifest: Manifest, _ options: PlanOptions) async throws(DLSyncError) -> Plan {
    let manifest = LocalLists.resolve(manifest)
    let options = options.narrowed(to: manifest)
    let store = try await Store.open(folder: stateFolder, access: .read)
    var facts = try await Facts.gather(manifest, store: store, workspace: self)
    facts.stored.foreignClaims.merge(options.alsoClaimed) { recorded, _ in recorded }
    try manifest.checkLock(options)
    var readings = Readings()
    var plan = try await facts.plan(
      manifest, options, elsewhere: Elsewhere(store: store, cache: cache), readings: &readings)
    if options.refreshes, !options.isOffline, let store {
      let stale = plan.files.filter { $0.reason == .stale }.map(\.entry.id)
      let responses = try await store.responses(of: stale)
      plan = await RefreshInquiry(
        manifest: manifest, environment: environment, netrc: options.netrc
      )
      .ask(about: plan, responses: responses)
    }
    await store?.close()
    return plan
  }
}

/// What is recorded.
public struct StatusSnapshot: Sendable {
  /// One for each task, in the order in which they were recorded.
  public var tasks: [TaskSnapshot]
  /// One for each queue.
  public var queues: [QueueSnapshot]

  /// Takes both.
  public init(tasks: [TaskSnapshot] = [], queues: [QueueSnapshot] = []) {
    self.tasks = tasks
    self.queues = queues
  }
}

/// Why there is no manifest to work with.
public enum ManifestLoadFailure: Error, Sendable {
  /// The file could not be read.
  case unreadable(DLSyncError)
  /// It was read, and has errors.
  case invalid(ManifestError)
}
