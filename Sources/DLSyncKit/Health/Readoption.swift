internal import DLSyncDisk
internal import DLSyncModel

/// Decides which files on disk belong to a state that is made anew: those that the planner takes for right by what is left
/// of the old records and by checksums, and those that nothing speaks against.
struct Readoption {
  /// What is to be recorded: one file for each that belongs to the state.
  let plan: Plan
  let rebuild: StateRebuild

  init(_ manifest: Manifest, salvaged: [StoredTask]) {
    let facts = Facts(stored: StoredState(tasks: salvaged), survey: Surveyor().survey(manifest.files))
    let planned = facts.plan(manifest, PlanOptions())
    let recorded = Dictionary(salvaged.map { (BytewiseText($0.destination), $0.published) }) { first, _ in first }
    var verdicts = planned.files.map { Verdict($0, recorded: recorded[BytewiseText($0.entry.destination.path)] ?? nil) }
    Self.read(planned.files, &verdicts)
    plan = Plan(
      scope: planned.scope, source: planned.source, queues: planned.queues,
      files: zip(planned.files, verdicts).compactMap { $1.record(of: $0) }, orphans: [])
    rebuild = StateRebuild(
      manifest: manifest.source,
      files: zip(planned.files, verdicts).map {
        StateRebuild.File(entry: $0.entry, finding: $1.finding, fingerprint: $1.published?.fingerprint)
      })
  }

  /// Files that count as they are get the fingerprint that they have.
  private static func read(_ files: [FilePlan], _ verdicts: inout [Verdict]) {
    let places = verdicts.indices.filter { verdicts[$0].finding == .adoptedAsItIs }
    let entries = places.map { files[$0].entry }
    var survey = Surveyor().survey(entries)
    let requests = entries.indices.map { HashRequest(entry: $0, algorithms: [.sha256]) }
    Surveyor().hash(requests, of: entries, into: &survey)
    for (index, place) in places.enumerated() {
      guard case .file(let identity) = survey.observations[index], let digest = survey.digests[index]?[.sha256] else {
        verdicts[place].finding = .inTheWay
        continue
      }
      verdicts[place].published = PublishedFile(fingerprint: digest, identity: identity, recordedAt: .now)
    }
  }

  /// What becomes of one file.
  private struct Verdict {
    var finding: StateRebuild.Finding
    var published: PublishedFile?

    init(_ file: FilePlan, recorded: PublishedFile?) {
      switch (file.action, file.reason) {
      case (.reuse, .unchanged), (.reuse, .adopted):
        published = file.settles ?? recorded
        finding = published == nil ? .absent : .adopted
      case (.reuse, .kept): finding = .kept
      case (.conflict, .destinationModified),
        (.download, .replace) where recorded != nil:
        (finding, published) = (.modified, recorded)
      case (.conflict, .destinationExists), (.download, .replace):
        finding = file.entry.mayCount(file.basis) ? .adoptedAsItIs : .inTheWay
      case (.conflict, _), (.download, .changed): finding = .inTheWay
      case (.download, _), (.reuse, _): finding = .absent
      }
    }

    func record(of file: FilePlan) -> FilePlan? {
      guard let published else { return nil }
      return FilePlan(
        entry: file.entry, action: .reuse, reason: .adopted, basis: .file(published.identity), settles: published)
    }
  }
}

extension FileEntry {
  /// Whether nothing that the manifest says speaks against a file that is there.
  fileprivate func mayCount(_ basis: DestinationBasis) -> Bool {
    guard checksums.isEmpty, case .file(let identity) = basis else { return false }
    return size == nil || size?.bytes == identity.size
  }
}
