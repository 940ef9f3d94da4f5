internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncThreading
internal import DLSyncTransfer

/// Mirrors that serve segments beside the source that is asked, and what becomes of one that lies.
///
/// Bytes of several servers are only joined where something proves them: the same strong validator, or a declared checksum
/// in the end. When that end is bad, nobody knows yet who lied: the whole comes again from one server alone, and once it is
/// right, what each mirror brought is compared with it.
extension Execution {
  func source(_ url: SourceURL, of job: FileJob) -> FetchSource {
    FetchSource(url: url, headers: job.entry.headers(to: url, options.planning.netrc))
  }

  func partners(of job: FileJob) -> [FetchSource] {
    guard job.mayShare, job.resumption.connections > 1 else { return [] }
    let free = job.sources.others.filter { schedule.remainingPause(of: $0.host, .now) == nil }
    return free.map { source($0, of: job) }
  }

  /// A mirror joins in whose bytes the validator does not prove. That is recorded before any of them is.
  func joining(_ file: Int) -> @Sendable () -> Void {
    { [self] in
      assumeIsolated { execution in
        guard let job = execution.jobs[file], !job.resumption.isUnproven else { return }
        job.resumption.isUnproven = true
        if let response = job.response { execution.note(response, job, isGood: true) }
      }
    }
  }

  /// What a fetch learned of its mirrors.
  func takeOver(_ fetch: SegmentedFetch, _ job: FileJob) async {
    job.contributions += await fetch.contributions
    for (url, error) in await fetch.caught { dismiss(url, of: job, because: error.message) }
  }

  /// The whole is not what it should be, and several servers brought it.
  func suspectMirrors(of job: FileJob, _ part: PartFile) async {
    guard !job.contributions.isEmpty else { return }
    job.mayShare = false
    job.resumption.isUnproven = true
    for contribution in job.contributions {
      guard let digest = await part.digest(of: contribution.range) else { continue }
      job.suspects.append((contribution, digest))
    }
    job.contributions = []
  }

  /// The whole is right: a mirror that brought other bytes before lied.
  func nameLiars(of job: FileJob, _ part: PartFile) async {
    var liars: [SourceURL] = []
    for (contribution, digest) in job.suspects where !liars.contains(contribution.url) {
      if let right = await part.digest(of: contribution.range), right != digest {
        liars.append(contribution.url)
      }
    }
    job.suspects = []
    for liar in liars {
      dismiss(liar, of: job, because: "the checksum proves another server's bytes")
    }
  }

  private func dismiss(_ mirror: SourceURL, of job: FileJob, because reason: String) {
    job.sources.drop(mirror)
    let text =
      "\"\(mirror.shown)\" gave other bytes than it should and is not asked again: \(reason)"
    guard !job.warnings.contains(text) else { return }
    job.warnings.append(text)
    relay.send(.warning(file: job.file, text))
  }
}
