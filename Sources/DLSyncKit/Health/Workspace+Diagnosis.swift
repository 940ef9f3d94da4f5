internal import DLSyncDisk
internal import DLSyncManifest
public import DLSyncModel
internal import DLSyncStore
internal import DLSyncThreading
internal import DLSyncTransfer
internal import Glibc

extension Workspace {
  /// Tries what runs rely on: locks, renames and room in the state's folder and beside the destinations of the manifests,
  /// certificates, the clock. What it makes for that is gone afterwards; nothing is fetched or recorded.
  @concurrent public func diagnose(_ manifests: [Manifest]) async -> Diagnosis {
    var diagnosis = Diagnosis()
    diagnosis.items.append(await stateItem())
    diagnosis.items += Self.folderItems(nearestFolder(of: stateFolder), needsPublishing: false)
    for folder in Self.destinationFolders(of: manifests) {
      diagnosis.items += Self.folderItems(folder, needsPublishing: true)
    }
    for manifest in manifests { diagnosis.items += await spaceItems(manifest) }
    diagnosis.items += [
      Self.trustItem(), Self.clockItem(), await networkItem(), Self.librariesItem(),
    ]
    return diagnosis
  }

  private func stateItem() async -> Diagnosis.Item {
    let report = await checkState()
    guard let worst = report.findings.first(where: { $0.severity != .notice }) else {
      let message = report.isThere ? "the state is sound" : "nothing is recorded yet"
      return .init("state", .good, message, path: stateFolder)
    }
    let verdict: Diagnosis.Item.Verdict = worst.severity == .unusable ? .trouble : .notice
    return .init("state", verdict, worst.message, path: worst.path, hint: worst.hint)
  }

  // MARK: Folders

  /// The nearest folder that exists for each file system that destinations are on.
  private static func destinationFolders(of manifests: [Manifest]) -> [String] {
    var seen: Set<UInt64> = []
    var known: Set<BytewiseText> = []
    return manifests.flatMap(\.files).compactMap { file in
      guard known.insert(BytewiseText(file.destination.folder)).inserted, let device = fileSystem(of: file.destination),
        seen.insert(device).inserted
      else { return nil }
      return nearestFolder(of: file.destination.folder)
    }
  }

  private static func folderItems(_ folder: String, needsPublishing: Bool) -> [Diagnosis.Item] {
    let probe = FolderProbe(folder: folder)
    if let trouble = probe.trouble {
      return [
        .init(
          "writing", .trouble, "no file can be made: \(trouble)", path: folder,
          hint: needsPublishing ? "choose another root" : "name another state folder (--state)")
      ]
    }
    let locks = lockItem(probe, folder, isOfState: !needsPublishing)
    var items = [Diagnosis.Item("writing", .good, "files can be made", path: folder), locks]
    if needsPublishing { items += [renameItem(probe, folder), cloneItem(probe, folder)] }
    return items
  }

  private static func lockItem(_ probe: FolderProbe, _ folder: String, isOfState: Bool) -> Diagnosis.Item {
    if probe.locksHold { return .init("locks", .good, "locks hold between two processes", path: folder) }
    if isOfState {
      return .init(
        "locks", .trouble, "locks do not hold between two processes: no state can be kept there", path: folder,
        hint: "keep the state on a local file system: `--state DIR`")
    }
    return .init(
      "locks", .notice, "locks do not hold between two processes: runs with other states are not noticed", path: folder,
      hint: "let one machine at a time, with one state, bring files there")
  }

  private static func renameItem(_ probe: FolderProbe, _ folder: String) -> Diagnosis.Item {
    switch (probe.publishesSafely, probe.renamesWithoutReplacing, probe.exchanges) {
    case (false, _, _):
      .init(
        "rename", .trouble, "neither a rename that replaces nothing nor hard links: no file can be published safely",
        path: folder, hint: "choose a destination on another file system")
    case (_, true, true): .init("rename", .good, "files appear without replacing others", path: folder)
    case (_, _, true): .init("rename", .good, "files appear without replacing others, by hard links", path: folder)
    default:
      .init(
        "rename", .notice,
        "files appear without replacing others; where one is replaced, a change by somebody else in the"
          + " same instant may be lost", path: folder)
    }
  }

  private static func cloneItem(_ probe: FolderProbe, _ folder: String) -> Diagnosis.Item {
    probe.sharesBlocks
      ? .init("reflinks", .good, "copies share their blocks", path: folder)
      : .init("reflinks", .notice, "copies take their own space: the file system shares no blocks", path: folder)
  }

  // MARK: The manifest

  private func spaceItems(_ manifest: Manifest) async -> [Diagnosis.Item] {
    do throws(DLSyncError) {
      let plan = try await plan(manifest, PlanOptions())
      let unknown = plan.files.count { $0.action == .download && !$0.isHeld && $0.bytes == nil }
      let rest = unknown == 0 ? "" : ", and \(unknown) \(unknown == 1 ? "file" : "files") of unknown length"
      let free = plan.files.first.flatMap { freeSpace(for: $0.entry.destination) }
      let room = free.map { ", \($0) are free" } ?? ""
      if plan.warnings.isEmpty {
        return [
          .init("space", .good, "\(plan.summary.downloadBytes) are to be fetched\(rest)\(room)", path: manifest.source)
        ]
      }
      return plan.warnings.map { .init("space", .trouble, $0, path: manifest.source, hint: "make room there") }
    } catch {
      return [.init("space", .trouble, error.message, path: manifest.source, hint: error.hint)]
    }
  }

  // MARK: The machine

  private static func trustItem() -> Diagnosis.Item {
    if let trouble = CurlFacts.trouble { return .init("certificates", .trouble, trouble.message, hint: trouble.hint) }
    let store = CurlFacts.trustStore
    var status = stat()
    if let file = store.file, stat(file, &status) == 0, status.st_size > 0 {
      return .init("certificates", .good, "trusted certificates are there", path: file)
    }
    if let folder = store.folder, stat(folder, &status) == 0 {
      return .init("certificates", .good, "a folder of trusted certificates is there", path: folder)
    }
    return .init(
      "certificates", .trouble, "there are no trusted certificates: no https server can be trusted",
      path: store.file ?? store.folder,
      hint: "install them (Debian: apt-get install ca-certificates), or name a file with `tls.caFile`")
  }

  /// 2026 and 2100: before the one dlsync was not written, and behind the other no certificate is valid.
  private static let plausible = Timestamp(seconds: 1_767_225_600)...Timestamp(seconds: 4_102_444_800)

  private static func clockItem() -> Diagnosis.Item {
    guard plausible.contains(.now) else {
      return .init(
        "clock", .trouble, "the clock is far off, so certificates look expired or not yet valid",
        hint: "set it, and let it be kept right (NTP)")
    }
    return SystemClock.isKeptRight == true
      ? .init("clock", .good, "the clock is kept right")
      : .init("clock", .notice, "the clock is plausible; nothing is known to keep it right (NTP)")
  }

  private func networkItem() async -> Diagnosis.Item {
    let executor = ThreadExecutor(name: "dlsync-ask")
    defer { executor.stop() }
    switch await NetworkInquiry(environment: environment, executor: executor).ask() {
    case .metered:
      return .init(
        "network", .notice, "the network is metered: queues with `network.allowMetered: false` wait"
      )
    case .unmetered: return .init("network", .good, "the network is not metered")
    case .unknown:
      return .init(
        "network", .good,
        "nothing tells whether the network is metered (NetworkManager), so it counts as unmetered")
    }
  }

  private static func librariesItem() -> Diagnosis.Item {
    let versions = ["dlsync \(ProductVersion.text)"] + LibraryVersions.all.map { "\($0.name) \($0.version)" }
    return .init("libraries", .good, versions.joined(separator: ", "))
  }
}
