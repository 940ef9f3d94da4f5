import DLSyncModel

/// Decides what is to be done with one file, from the entry, its record, and what was seen at its destination. This is
/// the decision table in code; what other files have to do with it was found out before.
struct FileJudge {
  let options: PlanningOptions

  /// The decision, or the question that stands before it.
  func decide(
    _ entry: FileEntry, _ record: StoredTask?, _ observation: Observation, _ digests: KnownDigests
  ) -> Judgement {
    let judgement = judge(entry, record, observation, digests)
    // A file that is as it should be may have to be checked with its server all the same.
    guard case .verdict(let verdict) = judgement, verdict.reason == .unchanged, let record,
      let file = verdict.published, isDue(entry.options, record.checkedAt)
    else { return judgement }
    return .verdict(.stale(file))
  }

  private func isDue(_ options: FileOptions, _ checked: Timestamp?) -> Bool {
    self.options.refreshes || options.settings.refresh.isDue(checked: checked, now: self.options.now)
  }

  private func judge(
    _ entry: FileEntry, _ record: StoredTask?, _ observation: Observation, _ digests: KnownDigests
  ) -> Judgement {
    if let record, let held = held(record, observation) { return .verdict(held) }
    if let refusal = Refusal.place(entry, observation) { return .verdict(.conflict(refusal)) }
    guard case .file(let identity) = observation else { return .verdict(absent(entry, record)) }
    if let record, record.published != nil || record.intent != nil {
      return owned(Scene(entry, record, identity, digests))
    }
    return unowned(Scene(entry, record, identity, digests))
  }

  /// The commonest row by far, decided from single fields so that a million files need no copies of their records: a
  /// finished file that nobody touched, wanted as it was wanted then. False leaves the decision to `decide`.
  func isUnchanged(_ entry: FileEntry, _ record: StoredTask, _ observation: Observation) -> Bool {
    guard !options.hashesEverything, case .file(let identity) = observation, record.isFinished(as: identity),
      record.isKnownToMatch(entry)
        || entry.urlBytes.hasSameBytes(as: record.urlBytes)
          && entry.checksumBytes.hasSameBytes(as: record.checksumBytes)
    else { return false }
    let options = entry.options
    return options.listMark == record.listMark && (entry.size == nil || entry.size?.bytes == identity.size)
      && !isDue(options, record.checkedAt)
  }

  /// Everything that the decision about an existing file looks at.
  private struct Scene {
    let entry: FileEntry
    let record: StoredTask?
    let identity: FileIdentity
    let digests: KnownDigests

    init(_ entry: FileEntry, _ record: StoredTask?, _ identity: FileIdentity, _ digests: KnownDigests) {
      self.entry = entry
      self.record = record
      self.identity = identity
      self.digests = digests
    }
  }

  // MARK: Nothing to compare

  /// Suspended and canceled tasks wait for a word of their user, whatever else is true.
  private func held(_ record: StoredTask, _ observation: Observation) -> Verdict? {
    var basis = DestinationBasis.absent
    if case .file(let identity) = observation { basis = .file(identity) }
    switch record.state {
    case .suspended: return .download(.suspended, basis, confirmed: record.confirmedBytes, isHeld: true)
    case .canceled: return .download(.canceled, basis, isHeld: true)
    default: return nil
    }
  }

  private func absent(_ entry: FileEntry, _ record: StoredTask?) -> Verdict {
    guard let record else { return .download(.new, .absent) }
    if let resumed = resumed(entry, record, .absent) { return resumed }
    return .download(record.published != nil || record.state == .completed ? .missing : .retry, .absent)
  }

  /// An unfinished transfer of the same resource goes on.
  private func resumed(_ entry: FileEntry, _ record: StoredTask, _ basis: DestinationBasis) -> Verdict? {
    guard record.state != .completed, record.confirmedBytes.bytes > 0, entry.hasResource(of: record) else { return nil }
    return .download(.resume, basis, confirmed: record.confirmedBytes)
  }

  // MARK: A file that dlsync does not own

  /// Only its digest can vouch for it.
  private func unowned(_ scene: Scene) -> Judgement {
    guard scene.entry.canBeProven(by: scene.identity) else { return .verdict(inTheWay(scene, .unowned)) }
    guard case .read(let digests) = scene.digests else { return .question(scene.entry.checksums.algorithms) }
    guard let fingerprint = digests[.sha256] else { return .verdict(inTheWay(scene, .unowned, isUnreadable: true)) }
    guard scene.entry.isProven(by: digests) else { return .verdict(inTheWay(scene, .unowned)) }
    return .verdict(.reuse(.adopted, published(fingerprint, scene.identity), settles: true))
  }

  private enum Stranger { case unowned, modified }

  private func inTheWay(_ scene: Scene, _ stranger: Stranger, isUnreadable: Bool = false) -> Verdict {
    let basis = DestinationBasis.file(scene.identity)
    switch options.onConflict ?? scene.entry.options.onConflict {
    case .replace:
      // One that was interrupted goes on, and is still shown as a replacement.
      let begun = scene.record.flatMap { resumed(scene.entry, $0, basis) }
      return .download(.replace, basis, confirmed: begun?.confirmed ?? .zero)
    case .keep: return Verdict(action: .reuse, reason: .kept, basis: basis)
    case .fail:
      let refusal =
        switch stranger {
        case .unowned: Refusal.unowned(scene.entry, isUnreadable: isUnreadable)
        case .modified: Refusal.modified(scene.entry, isUnreadable: isUnreadable)
        }
      return .conflict(refusal, basis)
    }
  }

  // MARK: A file that dlsync published

  /// Is it still what was published? Then: is that still what is wanted?
  private func owned(_ scene: Scene) -> Judgement {
    let record = scene.record!
    if let published = record.published, !options.hashesEverything, !published.isDoubtful,
      scene.identity.isUntouched(since: published.identity)
    {
      return wanted(scene, published, fromIntent: false, settles: false)
    }
    if let intent = record.intent, !options.hashesEverything, !intent.isDoubtful,
      scene.identity.isSameFile(as: intent.identity)
    {
      return wanted(scene, published(intent.fingerprint, scene.identity), fromIntent: true, settles: true)
    }
    let candidates = [record.intent, record.published].filter { $0?.identity.size == scene.identity.size }
    guard !candidates.isEmpty else { return modified(scene) }
    guard case .read(let digests) = scene.digests else { return .question(identifyingAlgorithms(scene)) }
    guard let fingerprint = digests[.sha256] else { return .verdict(inTheWay(scene, .modified, isUnreadable: true)) }
    let found = published(fingerprint, scene.identity)
    if let known = record.published, known.fingerprint == fingerprint, !known.isDoubtful,
      scene.identity.isUntouched(since: known.identity)
    {
      return wanted(scene, known, fromIntent: false, settles: false)
    }
    if record.intent?.fingerprint == fingerprint { return wanted(scene, found, fromIntent: true, settles: true) }
    if record.published?.fingerprint == fingerprint { return wanted(scene, found, fromIntent: false, settles: true) }
    return modified(scene)
  }

  /// The fingerprint tells whether the file is still ours; digests that were compared when it was published need no
  /// second look.
  private func identifyingAlgorithms(_ scene: Scene) -> [DigestAlgorithm] {
    guard let record = scene.record, record.state == .completed, record.intent == nil else {
      return scene.entry.checksums.algorithms
    }
    let open = scene.entry.checksums.filter { $0.algorithm != .sha256 && !record.checksums.contains($0) }
    return open.isEmpty ? [.sha256] : scene.entry.checksums.algorithms
  }

  /// The bytes are others than those that were published; the manifest may want just these.
  private func modified(_ scene: Scene) -> Judgement {
    guard scene.entry.canBeProven(by: scene.identity), !vouchesForLostBytes(scene) else {
      return .verdict(inTheWay(scene, .modified))
    }
    guard case .read(let digests) = scene.digests else { return .question(scene.entry.checksums.algorithms) }
    guard let fingerprint = digests[.sha256] else { return .verdict(inTheWay(scene, .modified, isUnreadable: true)) }
    guard scene.entry.isProven(by: digests) else { return .verdict(inTheWay(scene, .modified)) }
    return .verdict(.reuse(.adopted, published(fingerprint, scene.identity), settles: true))
  }

  /// Whether the declared SHA-256 is that of the bytes that were there: then others cannot have it, and need no reading.
  private func vouchesForLostBytes(_ scene: Scene) -> Bool {
    guard let lost = scene.record?.published?.fingerprint, scene.record?.intent == nil else { return false }
    return scene.entry.checksums.contains(lost)
  }

  /// The file is ours, byte for byte: is it still what the manifest wants?
  private func wanted(_ scene: Scene, _ file: PublishedFile, fromIntent: Bool, settles: Bool) -> Judgement {
    let (entry, record) = (scene.entry, scene.record!)
    let isFinished = record.state == .completed || fromIntent
    let isSameOrder = entry.hasURL(of: record) && entry.hasChecksums(of: record)
    // What a list has for the file is not known here: it was looked up when the file came, or was not.
    let isListed = entry.options.listMark == 0 || (isFinished && isSameOrder)
    let basis = DestinationBasis.file(scene.identity)
    guard entry.size == nil || entry.size?.bytes == scene.identity.size else {
      return .verdict(.download(isFinished ? .changed : .retry, basis))
    }
    let open = entry.checksums.filter { checksum in
      checksum != file.fingerprint && !(isFinished && record.checksums.contains(checksum))
    }
    if open.isEmpty, isListed, !entry.checksums.isEmpty || (isFinished && entry.hasURL(of: record)) {
      return .verdict(.reuse(.unchanged, file, settles: settles || !isFinished))
    }
    if !open.isEmpty, isListed, !open.contains(where: { $0.algorithm == .sha256 }) {
      guard case .read(let digests) = scene.digests else { return .question(entry.checksums.algorithms) }
      if open.allSatisfy({ digests[$0.algorithm] == $0 }) {
        return .verdict(.reuse(.unchanged, file, settles: settles || !isFinished))
      }
    }
    if !isFinished, let resumed = resumed(entry, record, basis) { return .verdict(resumed) }
    return .verdict(.download(!isFinished && isSameOrder ? .retry : .changed, basis))
  }

  private func published(_ fingerprint: Digest, _ identity: FileIdentity) -> PublishedFile {
    PublishedFile(fingerprint: fingerprint, identity: identity, recordedAt: options.now)
  }
}

extension FileEntry {
  /// Whether a file of this size can turn out to be the wanted one by its digests.
  fileprivate func canBeProven(by identity: FileIdentity) -> Bool {
    !checksums.isEmpty && options.listMark == 0 && (size == nil || size?.bytes == identity.size)
  }

  fileprivate func isProven(by digests: [DigestAlgorithm: Digest]) -> Bool {
    checksums.allSatisfy { digests[$0.algorithm] == $0 }
  }

  /// Whether the record is of the same URL. Records leave credentials out, so a renewed signature, with the date and term
  /// that come with it, is no other URL.
  func hasURL(of record: StoredTask) -> Bool {
    if url.text == record.url { return true }
    guard url.text.utf8.contains(UInt8(ascii: "?")) else { return false }
    let isSigned = Redaction.isSigned(url.text)
    return Redaction.resource(url.text, isSigned: isSigned) == Redaction.resource(record.url, isSigned: isSigned)
  }

  fileprivate func hasChecksums(of record: StoredTask) -> Bool {
    options.listMark == record.listMark
      && (checksums == record.checksums || Set(checksums) == Set(record.checksums))
  }

  /// Whether bytes of the recorded transfer can be part of this file: one URL but for the query, which may be a renewed
  /// signature, or one checksum that will prove the whole.
  fileprivate func hasResource(of record: StoredTask) -> Bool {
    url.text.withoutQuery == record.url.withoutQuery || checksums.contains { record.checksums.contains($0) }
  }
}
