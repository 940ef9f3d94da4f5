/// The commands: those of this version, and the known words of later ones.
enum CommandWord: String, CaseIterable, Sendable {
  case plan, apply, status, verify, check, version, help
  case log, wait, pause, resume, cancel, restart, remove, priority, reorder, headers, get, lock, `init`, `import`
  case export, cache, state, doctor, agent, schema, completions

  /// What may stand behind the command.
  enum Arguments: Hashable, Sendable {
    case none
    /// At least one.
    case some(String)
    /// Any number.
    case any(String)
    /// At most one.
    case one(String)

    /// As the usage line shows it.
    var synopsis: String {
      switch self {
      case .none: ""
      case .some(let name): "\(name)…"
      case .any(let name): "[\(name)…]"
      case .one(let name): "[\(name)]"
      }
    }
  }

  /// Whether this version can do it.
  var isSupported: Bool {
    switch self {
    case .plan, .apply, .status, .verify, .check, .version, .help: true
    default: false
    }
  }

  var arguments: Arguments {
    switch self {
    case .plan, .apply, .verify, .check: .some("MANIFEST")
    case .status: .any("MANIFEST")
    case .help: .one("COMMAND")
    default: .none
    }
  }

  /// One line for the list of commands.
  var summary: String {
    switch self {
    case .plan: "show what apply would do; change nothing"
    case .apply: "make the files be as the manifest says"
    case .status: "show tasks and queues as recorded"
    case .verify: "hash every file that should be there"
    case .check: "read manifests and report every error"
    case .version: "print the version"
    case .help: "explain a command"
    default: later
    }
  }

  /// The same for the words of later versions.
  private var later: String {
    switch self {
    case .log: "show what happened and when"
    case .wait: "wait until tasks end; print the final paths"
    case .pause: "hold tasks back"
    case .resume: "release held and failed tasks"
    case .cancel: "end tasks and drop their partial data"
    case .restart: "start tasks again from the first byte"
    case .remove: "forget tasks"
    case .priority: "change which task comes first"
    case .reorder: "change the order among equals"
    case .headers: "give failed background tasks new request headers"
    case .get: "fetch one file without a manifest"
    case .lock: "pin checksums and sizes in a lock file"
    case .`init`: "write a small commented manifest to start from"
    case .`import`: "make a manifest from another tool's list"
    case .export: "make another tool's list from a manifest"
    case .cache: "show or clear managed files and partial data"
    case .state: "check, rebuild or locate the state"
    case .doctor: "show what this machine offers"
    case .agent: "control the background worker"
    case .schema: "print the JSON Schema of the manifest"
    default: "print completions for a shell"
    }
  }

  /// What the help page says below the usage line.
  var explanation: [String] {
    switch self {
    case .plan:
      [
        "Shows what apply would do with each file, and why. Changes nothing on disk, not even the state, and contacts"
          + " no server.",
        "Exit status: 0 whatever the plan says, 2 usage or manifest, 4 state. With --detailed-exitcode also 10 where"
          + " something is to be done and 3 where there are conflicts.",
      ]
    case .apply:
      [
        "Plans, then fetches what is missing or changed. A run that was stopped goes on where it was. Files that"
          + " dlsync does not own are never overwritten unless the manifest says so.",
        "Exit status: 0 all is as the manifest says, 1 a file failed, 2 usage or manifest, 3 conflicts, 4 state;"
          + " 129, 130, 143 ended by a signal, resumable.",
      ]
    case .status: ["Shows every recorded task, or those of the manifests: its state, its progress, its last error."]
    case .verify:
      [
        "Reads every file of the manifest that should be there and compares its digest with the declared checksum or"
          + " the recorded fingerprint. Changes nothing.",
        "Exit status: 0 every file is intact, 1 any is missing, differs or cannot be vouched for.",
      ]
    case .check:
      [
        "Reads manifests and reports every error with its place. Contacts nothing, writes nothing."
          + " \"-\" reads standard input."
      ]
    case .version: ["Prints the version."]
    case .help: ["Explains a command, or lists the commands."]
    default: ["Not supported yet in this version."]
    }
  }

  /// The example that a help page begins with.
  var example: String {
    switch self {
    case .plan: "dlsync plan manifest.yaml"
    case .apply: "dlsync apply manifest.yaml --only 'bin/*' --jobs 8"
    case .verify: "dlsync verify manifest.yaml"
    case .check: "dlsync check manifest.yaml"
    case .help: "dlsync help apply"
    default: "dlsync \(rawValue)"
    }
  }
}
