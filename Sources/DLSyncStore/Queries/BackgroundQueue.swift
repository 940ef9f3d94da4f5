package import DLSyncModel

/// A queue that the agent has something to do in.
package struct BackgroundQueue: Sendable {
  package let scope: Scope
  /// With the proxy's URL, which the settings do not hold.
  package let declaration: QueueDeclaration
  /// Changes when there is more to do than there was.
  package let handed: Int64
  /// What is to be done when all of it has ended.
  package let hook: QueueHook
}

/// A file that is to be gone on with from the record: the agent's, or of a program that uses the library.
package struct BackgroundEntry: Sendable {
  package let entry: FileEntry
  /// Whether the file is there, and its server is to be asked for a newer one.
  package let isRefresh: Bool
  /// What a lock file says of it and the manifest does not.
  package let pin: LockPin?

  package init(entry: FileEntry, isRefresh: Bool, pin: LockPin? = nil) {
    self.entry = entry
    self.isRefresh = isRefresh
    self.pin = pin
  }
}

/// The end of a queue that is to be told.
package struct OwedEnd: Sendable {
  package let queue: BackgroundQueue
  /// Of the queue's row.
  let number: Int64
  /// The tasks that it is about, as they are now.
  package let tasks: [TaskSnapshot]
}

/// What is to be done when all work of a background queue has ended.
package struct QueueHook: Equatable, Sendable {
  /// The user's command, from the command line or the environment, never from a manifest.
  package var command: String?
  /// The manifest's texts.
  package var notify: NotificationTexts?

  package init(command: String? = nil, notify: NotificationTexts? = nil) {
    self.command = command
    self.notify = notify
  }

  /// As key=value lines.
  init(stored text: String) {
    let pairs = Dictionary(LineCoding.decode(text)) { first, _ in first }
    command = pairs["command"]
    if pairs["success"] != nil || pairs["failure"] != nil {
      notify = NotificationTexts(success: pairs["success"], failure: pairs["failure"])
    }
  }

  var stored: String {
    let pairs: [(key: String, value: String?)] = [
      ("command", command), ("success", notify?.success), ("failure", notify?.failure),
    ]
    return LineCoding.encode(pairs.compactMap { pair in pair.value.map { (key: pair.key, value: $0) } })
  }
}
