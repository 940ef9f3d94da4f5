import DLSyncModel

/// What the options of a command line say.
struct Settings: Sendable {
  enum Format: String, CaseIterable, Sendable { case text, json, ndjson }
  enum Progress: String, CaseIterable, Sendable { case auto, bar, plain, none }

  /// Where it is read who asks servers for files.
  enum NetrcChoice: Sendable {
    case none, home
    case file(String)
  }

  var variables: [String: String] = [:]
  var queues: [String] = []
  var only: [String] = []
  var shard: Shard?
  var tags: [String] = []
  var requiresLock = false
  var isOffline = false
  var updatesLock = false
  var baseURL: SourceURL?
  var output: String?
  var checksums: [Digest] = []
  var onConflict: ConflictPolicy?
  var hashesEverything = false
  var refreshes = false
  var jobs: Int?
  var rate: ByteCount?
  var netrc = NetrcChoice.none
  var failFast = false
  var prunes = false
  var repairs = false
  /// A folder or `off`; nil where the environment decides.
  var cache: String?
  var lockTimeout: Duration?
  var maxDuration: Duration?
  var maxBytes: ByteCount?
  var manifests: [String] = []
  var selectsAll = false
  var deletesFile = false
  var headers: [HeaderField] = []
  var watches = false
  var waits = false
  var runsInForeground = false
  var onComplete: String?
  var idleExit = Duration.seconds(60)
  var since: String?
  var follows = false
  var isDryRun = false
  var explains: String?
  var detailedExitCode = false
  var progress = Progress.auto
  var reports: [ReportRequest] = []
  var format = Format.text
  var color = Terminal.ColorChoice.auto
  var isQuiet = false
  var isVerbose = false
  var stateFolder: String?
  var wantsHelp = false
  var wantsVersion = false
}

/// A command line, understood.
struct Invocation: Sendable {
  let command: CommandWord
  let arguments: [String]
  let settings: Settings
}
