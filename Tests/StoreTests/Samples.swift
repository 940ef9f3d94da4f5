import DLSyncModel
import DLSyncThreading

/// Values for tests, made from few words.
enum Sample {
  static let scope = Scope("/m.yaml")
  static let now = Timestamp(seconds: 1_700_000_000)
  static let instant = MonotonicInstant(nanoseconds: 1_000_000_000_000)

  static func url(_ text: String) -> SourceURL {
    guard let url = try? SourceURL(text) else { preconditionFailure("no URL: \(text)") }
    return url
  }

  static func entry(
    _ destination: String, _ address: String = "https://h.example/a", scope: Scope = scope, queue: String = "default",
    checksums: [Digest] = [], size: Int64? = nil, priority: Double = 0.5, permissions: UInt16? = nil,
    headers: [HeaderField] = []
  ) -> FileEntry {
    guard let destination = try? Destination(destination, root: "/out") else {
      preconditionFailure("no destination: \(destination)")
    }
    return FileEntry(
      scope: scope, url: url(address), destination: destination, queue: QueueName(queue), checksums: checksums,
      size: size.map(ByteCount.init), priority: priority,
      options: FileOptions(headers: headers, permissions: permissions))
  }

  static func digest(_ seed: UInt8, _ algorithm: DigestAlgorithm = .sha256) -> Digest {
    Digest(algorithm, bytes: (0..<algorithm.length).map { seed &+ UInt8($0) })!
  }

  static func published(_ seed: UInt8, size: Int64 = 5) -> PublishedFile {
    PublishedFile(
      fingerprint: digest(seed),
      identity: FileIdentity(
        device: .max - 1, inode: UInt64(seed), size: size, modified: 1_600_000_000_000_000_001,
        changed: 1_600_000_000_000_000_002, mode: 0o644),
      recordedAt: Timestamp(nanoseconds: 1_600_000_000_000_000_003))
  }

  static func download(_ entry: FileEntry, _ reason: PlanReason = .new, isHeld: Bool = false) -> FilePlan {
    FilePlan(entry: entry, action: .download, reason: reason, isHeld: isHeld)
  }

  static func reuse(_ entry: FileEntry, _ reason: PlanReason = .unchanged, settles: PublishedFile? = nil) -> FilePlan {
    FilePlan(entry: entry, action: .reuse, reason: reason, settles: settles)
  }

  static func plan(
    _ files: [FilePlan], scope: Scope = scope, queues: [String] = ["default"],
    configuration: QueueConfiguration = QueueConfiguration()
  ) -> Plan {
    Plan(
      scope: scope, source: "m.yaml",
      queues: queues.map {
        QueuePlan(declaration: QueueDeclaration(QueueName($0), configuration), action: .create)
      }, files: files, orphans: [])
  }
}
