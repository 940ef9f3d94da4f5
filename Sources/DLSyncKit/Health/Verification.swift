internal import DLSyncDisk
public import DLSyncModel
internal import DLSyncPlanner
internal import DLSyncStore
internal import DLSyncThreading

/// What hashing found of one file that should be there.
public struct VerifiedFile: Sendable {
  /// What can be found.
  public enum Finding: String, Sendable {
    /// The bytes are the recorded or declared ones.
    case intact
    /// Nothing is there.
    case missing
    /// Other bytes are there.
    case differs
    /// It could not be read, or is no regular file.
    case unreadable
    /// A file is there, but neither record nor manifest says what it should be.
    case notRecorded
  }

  /// The file.
  public let entry: FileEntry
  /// What was found.
  public let finding: Finding
  /// The digest that it should have.
  public let expected: Digest?
  /// The digest that it has.
  public let actual: Digest?
  /// Why it is unreadable.
  public let error: DLSyncError?
}

extension Workspace {
  /// Hashes every file that should be there, trusting no time stamp. Changes nothing.
  @concurrent public func verify(_ manifest: Manifest, _ options: PlanOptions) async throws(DLSyncError)
    -> [VerifiedFile]
  {
    let manifest = LocalLists.resolve(manifest)
    let store = try await Store.open(folder: stateFolder, access: .read)
    let facts = try await Facts.gather(manifest, store: store, workspace: self)
    await store?.close()
    var published = Dictionary(
      facts.stored.tasks.compactMap { task in
        (task.published ?? task.intent).map { (BytewiseText(task.destination), $0.fingerprint) }
      },
      uniquingKeysWith: { first, _ in first })
    // What a killed run published and could not record any more.
    for task in facts.stored.tasks {
      guard let intent = task.intent, case .file(let identity)? = Self.look(at: task.destination),
        identity.isSameFile(as: intent.identity)
      else { continue }
      published[BytewiseText(task.destination)] = intent.fingerprint
    }
    let selection = Selection(options, of: manifest)
    let files = manifest.files.indices.filter { selection.contains(manifest.files[$0]) }
    return await ThreadExecutor.withThread(named: "dlsync-verify") { [published] in
      var survey = facts.survey
      return FileCheck().check(manifest.files, files, &survey, recorded: published)
    }
  }

  private static func look(at path: String) -> Observation? {
    Surveyor().survey(recorded: [path])[BytewiseText(path)]
  }
}

/// Compares files with what is declared or recorded of them, reading every byte.
struct FileCheck {
  /// Of files that are seen already, those at `places`; `recorded` holds fingerprints by destination.
  func check(
    _ files: [FileEntry], _ places: [Int], _ survey: inout DiskSurvey, recorded: [BytewiseText: Digest]
  ) -> [VerifiedFile] {
    let requests = places.compactMap { index -> HashRequest? in
      guard case .file = survey.observations[index] else { return nil }
      return HashRequest(entry: index, algorithms: files[index].checksums.algorithms)
    }
    Surveyor().hash(requests, of: files, into: &survey)
    return places.map { index in
      files[index].verified(
        survey.observations[index], survey.digests[index] ?? [:], survey.failures[index],
        recorded: recorded[BytewiseText(files[index].destination.path)])
    }
  }

  /// One file, on a thread of its own.
  func check(_ file: FileEntry, recorded: Digest?) async -> VerifiedFile {
    let executor = ThreadExecutor(name: "dlsync-verify")
    defer { executor.stop() }
    return await withTaskExecutorPreference(executor) { await Self.read(file, recorded: recorded) }
  }

  @concurrent private static func read(_ file: FileEntry, recorded: Digest?) async -> VerifiedFile {
    var survey = Surveyor().survey([file])
    return FileCheck().check(
      [file], [0], &survey, recorded: recorded.map { [BytewiseText(file.destination.path): $0] } ?? [:])[0]
  }
}

extension FileEntry {
  fileprivate func verified(
    _ observation: Observation, _ digests: [DigestAlgorithm: Digest], _ failure: DLSyncError?, recorded: Digest?
  ) -> VerifiedFile {
    func found(_ finding: VerifiedFile.Finding, _ expected: Digest?, _ error: DLSyncError? = nil) -> VerifiedFile {
      VerifiedFile(
        entry: self, finding: finding, expected: expected, actual: digests[expected?.algorithm ?? .sha256], error: error
      )
    }
    // What the manifest declares comes first; the record vouches where it declares nothing.
    let expected = checksums.isEmpty ? recorded.map { [$0] } ?? [] : checksums
    switch observation {
    case .absent: return found(.missing, expected.first)
    case .file where digests.isEmpty: return found(.unreadable, expected.first, failure)
    case .file:
      guard let first = expected.first else { return found(.notRecorded, nil) }
      let wrong = expected.first { digests[$0.algorithm] != $0 }
      return found(wrong == nil ? .intact : .differs, wrong ?? first)
    default: return found(.unreadable, expected.first, .place(self, observation))
    }
  }
}
