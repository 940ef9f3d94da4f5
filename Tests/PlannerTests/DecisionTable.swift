import DLSyncModel
import DLSyncPlanner
import Testing

/// One row of the decision table: a file alone in its manifest.
struct Row: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var entry = PlannerTests.entry()
  var record: StoredTask?
  var seen: Observation = .absent
  /// What a reader finds; nil where the file cannot be read.
  var bytes: UInt8?
  /// The algorithms that must be asked for, nil for none.
  var asks: [DigestAlgorithm]?
  var onConflict: ConflictPolicy?
  var verify = false
  let expected: String

  init(
    _ name: String, _ entry: FileEntry = PlannerTests.entry(), record: StoredTask? = nil, seen: Observation = .absent,
    bytes: UInt8? = nil, asks: [DigestAlgorithm]? = nil, onConflict: ConflictPolicy? = nil, verify: Bool = false,
    gives expected: String
  ) {
    testDescription = name
    self.entry = entry
    self.record = record
    self.seen = seen
    self.bytes = bytes
    self.asks = asks
    self.onConflict = onConflict
    self.verify = verify
    self.expected = expected
  }

  var world: World {
    var world = World([entry], records: record.map { [$0] } ?? [], [seen], bytes: bytes.map { [0: $0] } ?? [:])
    world.options.onConflict = onConflict
    world.options.hashesEverything = verify
    return world
  }
}

let ours = record(published: published(1))
let untouched = Observation.file(identity())
let touched = Observation.file(identity(modified: 950, changed: 950))
let grown = Observation.file(identity(size: 101, modified: 950, changed: 950))
let declared = entry(checksums: [digest(1)])

/// The decision table of planning, row by row.
enum DecisionTable {
  /// Every row but those where no file can be.
  static let files = nothingThere + held + strangers + ownedFiles + wishes + crashes

  static let nothingThere: [Row] = [
    Row("no record, nothing there", gives: "download/new"),
    Row("a forgotten record is none", record: record(.removed, published: published(1)), gives: "download/new"),
    Row("completed, nothing there", record: ours, gives: "download/missing"),
    Row(
      "completed with another URL, nothing there", record: record(url: "http://h/old", published: published(1)),
      gives: "download/missing"),
    Row("failed without a byte", record: record(.failed), gives: "download/retry"),
    Row("interrupted without a byte", record: record(.waiting), gives: "download/retry"),
    Row("failed with confirmed bytes", record: record(.failed, confirmed: 10), gives: "download/resume"),
    Row("interrupted with confirmed bytes", record: record(.running, confirmed: 10), gives: "download/resume"),
    Row(
      "a renewed signature resumes", entry(url: "http://h/a?sig=2"),
      record: record(.failed, url: "http://h/a?sig=1", confirmed: 10), gives: "download/resume"),
    Row(
      "a crash before the move resumes", record: record(.publishing, intent: published(1), confirmed: 10),
      gives: "download/resume"),
    Row(
      "confirmed bytes of another resource are nothing to continue", entry(url: "http://h/b"),
      record: record(.failed, confirmed: 10), gives: "download/retry"),
    Row(
      "one checksum proves that another URL is the same resource", entry(url: "http://h/b", checksums: [digest(1)]),
      record: record(.failed, checksums: [digest(1)], confirmed: 10), gives: "download/resume"),
    Row(
      "an update that failed and whose old file is gone", record: record(.failed, published: published(1)),
      gives: "download/missing"),
  ]

  static let held: [Row] = [
    Row("suspended", record: record(.suspended, confirmed: 5), gives: "download/suspended"),
    Row("canceled", record: record(.canceled), gives: "download/canceled"),
    Row(
      "suspended while its old file is there", record: record(.suspended, published: published(1)), seen: touched,
      gives: "download/suspended"),
  ]

  static let strangers: [Row] = [
    Row("an unowned file", seen: untouched, gives: "conflict/destinationExists"),
    Row("an unowned file of the declared size", entry(size: 100), seen: untouched, gives: "conflict/destinationExists"),
    Row("an unowned file that matches", declared, seen: untouched, bytes: 1, asks: [.sha256], gives: "reuse/adopted"),
    Row(
      "an unowned file that does not match", declared, seen: untouched, bytes: 2, asks: [.sha256],
      gives: "conflict/destinationExists"),
    Row(
      "an unowned file that cannot be read", declared, seen: untouched, asks: [.sha256],
      gives: "conflict/destinationExists"),
    Row(
      "an unowned file of another size than declared", entry(checksums: [digest(1)], size: 5), seen: untouched,
      gives: "conflict/destinationExists"),
    Row(
      "every checksum must match", entry(checksums: [digest(1), digest(2, .md5)]), seen: untouched, bytes: 1,
      asks: [.sha256, .md5], gives: "conflict/destinationExists"),
    Row(
      "other algorithms vouch as well", entry(checksums: [digest(1, .md5)]), seen: untouched, bytes: 1,
      asks: [.sha256, .md5], gives: "reuse/adopted"),
    Row(
      "a file in the way of a failed task", record: record(.failed), seen: untouched,
      gives: "conflict/destinationExists"),
    Row(
      "a file in the way of a kept one's record", entry(onConflict: .keep), record: record(.completed), seen: untouched,
      gives: "reuse/kept"),
    Row("keep", entry(onConflict: .keep), seen: untouched, gives: "reuse/kept"),
    Row("replace", entry(onConflict: .replace), seen: untouched, gives: "download/replace"),
    Row(
      "adopting is better than replacing", entry(checksums: [digest(1)], onConflict: .replace), seen: untouched,
      bytes: 1, asks: [.sha256], gives: "reuse/adopted"),
    Row(
      "keep from the command line", entry(onConflict: .replace), seen: untouched, onConflict: .keep, gives: "reuse/kept"
    ),
    Row("replace from the command line", seen: untouched, onConflict: .replace, gives: "download/replace"),
    Row(
      "fail from the command line", entry(onConflict: .replace), seen: untouched, onConflict: .fail,
      gives: "conflict/destinationExists"),
  ]

  static let ownedFiles: [Row] = [
    Row("untouched", record: ours, seen: untouched, gives: "reuse/unchanged"),
    Row("touched, same bytes", record: ours, seen: touched, bytes: 1, asks: [.sha256], gives: "reuse/unchanged"),
    Row(
      "touched, other bytes", record: ours, seen: touched, bytes: 2, asks: [.sha256],
      gives: "conflict/destinationModified"),
    Row("touched, unreadable", record: ours, seen: touched, asks: [.sha256], gives: "conflict/destinationModified"),
    Row("another size needs no reading", record: ours, seen: grown, gives: "conflict/destinationModified"),
    Row(
      "another inode, same bytes", record: ours, seen: .file(identity(2)), bytes: 1, asks: [.sha256],
      gives: "reuse/unchanged"),
    Row(
      "only the change time moved", record: ours, seen: .file(identity(changed: 950)), bytes: 2, asks: [.sha256],
      gives: "conflict/destinationModified"),
    Row(
      "recorded within the clock's grain",
      record: record(published: published(1, at: Timestamp(nanoseconds: 900_005_000_000))), seen: untouched, bytes: 2,
      asks: [.sha256], gives: "conflict/destinationModified"),
    Row("modified, keep", entry(onConflict: .keep), record: ours, seen: grown, gives: "reuse/kept"),
    Row("modified, replace", entry(onConflict: .replace), record: ours, seen: grown, gives: "download/replace"),
    Row(
      "modified into what is declared now", entry(checksums: [digest(2)]), record: ours, seen: grown, bytes: 2,
      asks: [.sha256], gives: "reuse/adopted"),
    Row(
      "modified, and the declared bytes are those that were lost", declared,
      record: record(checksums: [digest(1)], published: published(1)), seen: grown,
      gives: "conflict/destinationModified"),
    Row(
      "verify reads untouched files", record: ours, seen: untouched, bytes: 1, asks: [.sha256], verify: true,
      gives: "reuse/unchanged"),
    Row(
      "verify finds what time stamps hide", record: ours, seen: untouched, bytes: 2, asks: [.sha256], verify: true,
      gives: "conflict/destinationModified"),
  ]

  static let wishes: [Row] = [
    Row("a new URL", entry(url: "http://h/b"), record: ours, seen: untouched, gives: "download/changed"),
    Row(
      "a new URL after a touch", entry(url: "http://h/b"), record: ours, seen: touched, bytes: 1, asks: [.sha256],
      gives: "download/changed"),
    Row(
      "a new URL for a modified file", entry(url: "http://h/b"), record: ours, seen: grown,
      gives: "conflict/destinationModified"),
    Row(
      "a new URL with the checksum of what is there", entry(url: "http://h/b", checksums: [digest(1)]), record: ours,
      seen: untouched, gives: "reuse/unchanged"),
    Row(
      "a renewed credential is no new URL", entry(url: "http://h/a?v=1&token=new"),
      record: record(url: "http://h/a?v=1", published: published(1)), seen: untouched, gives: "reuse/unchanged"),
    Row(
      "a new plain query is a new URL", entry(url: "http://h/a?v=2"),
      record: record(url: "http://h/a?v=1", published: published(1)), seen: untouched, gives: "download/changed"),
    Row(
      "a new checksum", entry(checksums: [digest(2)]), record: record(checksums: [digest(1)], published: published(1)),
      seen: untouched, gives: "download/changed"),
    Row("a checksum that comes later and fits", declared, record: ours, seen: untouched, gives: "reuse/unchanged"),
    Row(
      "another algorithm that comes later and fits", entry(checksums: [digest(1, .sha512)]), record: ours,
      seen: untouched, bytes: 1, asks: [.sha256, .sha512], gives: "reuse/unchanged"),
    Row(
      "another algorithm that comes later and does not fit", entry(checksums: [digest(3, .sha512)]), record: ours,
      seen: untouched, bytes: 1, asks: [.sha256, .sha512], gives: "download/changed"),
    Row(
      "a recorded checksum of another algorithm was proven before", entry(checksums: [digest(1, .md5)]),
      record: record(checksums: [digest(1, .md5)], published: published(1)), seen: untouched, gives: "reuse/unchanged"),
    Row(
      "the same after a touch needs the fingerprint alone", entry(checksums: [digest(1, .md5)]),
      record: record(checksums: [digest(1, .md5)], published: published(1)), seen: touched, bytes: 1, asks: [.sha256],
      gives: "reuse/unchanged"),
    Row(
      "a checksum that is left out now", record: record(checksums: [digest(1)], published: published(1)),
      seen: untouched, gives: "reuse/unchanged"),
    Row(
      "a declared size that the file does not have", entry(size: 5), record: ours, seen: untouched,
      gives: "download/changed"),
    Row(
      "headers and priority never fetch again", entry(priority: 0.9, headers: [HeaderField("A", "b")]), record: ours,
      seen: untouched, gives: "reuse/unchanged"),
    Row(
      "an update that was interrupted begins again", entry(url: "http://h/b"),
      record: record(.waiting, url: "http://h/b", published: published(1)), seen: untouched, gives: "download/retry"),
    Row(
      "an update that was interrupted goes on", entry(url: "http://h/b"),
      record: record(.running, url: "http://h/b", published: published(1), confirmed: 3), seen: untouched,
      gives: "download/resume"),
    Row(
      "an update that failed is no update when the checksum goes back", declared,
      record: record(.failed, checksums: [digest(2)], published: published(1)), seen: untouched,
      gives: "reuse/unchanged"),
    Row(
      "a recorded checksum that no transfer proved yet vouches for nothing", entry(checksums: [digest(2, .md5)]),
      record: record(.failed, checksums: [digest(2, .md5)], published: published(1)), seen: untouched, bytes: 1,
      asks: [.sha256, .md5], gives: "download/retry"),
    Row(
      "a failed update with another URL now", entry(url: "http://h/c"),
      record: record(.failed, url: "http://h/b", published: published(1)), seen: untouched, gives: "download/changed"),
  ]

  static let crashes: [Row] = [
    Row(
      "killed between move and commit, told by identity",
      record: record(.publishing, intent: published(1, identity(changed: 800))), seen: untouched,
      gives: "reuse/unchanged"),
    Row(
      "killed between move and commit, told by bytes",
      record: record(.publishing, intent: published(1, identity(9, changed: 800))), seen: untouched, bytes: 1,
      asks: [.sha256], gives: "reuse/unchanged"),
    Row(
      "killed before the move of a replacement",
      record: record(.publishing, published: published(1), intent: published(2, identity(9))), seen: untouched,
      gives: "download/retry"),
    Row(
      "killed behind the move of a replacement",
      record: record(.publishing, published: published(1, identity(9)), intent: published(2, identity(changed: 800))),
      seen: untouched, gives: "reuse/unchanged"),
    Row(
      "the user was faster", record: record(.publishing, intent: published(1, identity(9))), seen: grown,
      gives: "conflict/destinationModified"),
    Row(
      "the user wrote other bytes of that length", record: record(.publishing, intent: published(1, identity(9))),
      seen: touched, bytes: 3, asks: [.sha256], gives: "conflict/destinationModified"),
  ]

  static let places: [Row] = [
    Row("a symbolic link", seen: .symbolicLink, gives: "conflict/destinationExists"),
    Row(
      "a symbolic link and replace", entry(onConflict: .replace), seen: .symbolicLink,
      gives: "conflict/destinationExists"),
    Row("a symbolic link and keep", entry(onConflict: .keep), seen: .symbolicLink, gives: "conflict/destinationExists"),
    Row("a symbolic link instead of our file", record: ours, seen: .symbolicLink, gives: "conflict/destinationExists"),
    Row("a folder", seen: .folder, gives: "conflict/destinationInvalid"),
    Row("a folder and replace", entry(onConflict: .replace), seen: .folder, gives: "conflict/destinationInvalid"),
    Row("a folder instead of our file", record: ours, seen: .folder, gives: "conflict/destinationInvalid"),
    Row("a device", seen: .special("device"), onConflict: .replace, gives: "conflict/destinationInvalid"),
    Row("a parent that is a file", seen: .parentIsNoFolder("/root/x"), gives: "conflict/destinationInvalid"),
    Row("a link out of the root", seen: .leavesRoot("/root/l"), gives: "conflict/destinationInvalid"),
    Row("a long name", seen: .nameTooLong, gives: "conflict/destinationInvalid"),
    Row(
      "something that cannot be looked at", seen: .inaccessible("permission denied"),
      gives: "conflict/destinationInvalid"),
  ]
}
