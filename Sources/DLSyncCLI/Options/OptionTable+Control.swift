import DLSyncModel

/// Options of the commands that watch and control tasks, and of runs that outlive a command.
extension OptionTable {
  /// Commands that select recorded tasks.
  static let controlling: Set<CommandWord> = [
    .pause, .resume, .cancel, .restart, .remove, .priority, .headers, .wait, .log,
  ]

  static let control: [OptionSpecification] = [
    option("manifest", value: "FILE", "only tasks of this manifest (repeatable)", controlling) {
      settings, text throws(Refusal) in settings.manifests.append(try nonEmpty(text, "a manifest"))
    },
    flag("all", "every task", controlling) { $0.selectsAll = true },
    flag("delete-file", "delete the published file too, if it was not changed", [.remove]) { $0.deletesFile = true },
    option("header", letter: "H", value: "FIELD", "a request header: 'Name: value' (repeatable)", [.headers, .get]) {
      settings, text throws(Refusal) in
      guard let field = HeaderField(typed: text) else { throw Refusal(takes: "a header such as 'Name: value'") }
      guard !HeaderText.reserved.contains(field.name.lowercased()) else {
        throw Refusal(takes: "a header that is not dlsync's own, as those of ranges, codings and hosts are")
      }
      settings.headers.append(field)
    },
    flag("watch", letter: "w", "keep the screen up to date until a signal comes", [.status]) { $0.watches = true },
    option("since", value: "WHEN", "only what happened after: 2h, 2026-01-31, 2026-01-31T08:00", [.log]) {
      settings, text throws(Refusal) in
      guard MomentText.moment(text, now: .init(nanoseconds: 0)) != nil else {
        throw Refusal(takes: "a time ago such as 2h, or a date such as 2026-01-31 or 2026-01-31T08:00")
      }
      settings.since = text
    },
    flag("follow", letter: "f", "go on with what happens from now on", [.log]) { $0.follows = true },
    flag("wait", "wait for what the agent fetches; take its result", [.apply]) { $0.waits = true },
    flag("foreground", "fetch background queues in this command", [.apply]) { $0.runsInForeground = true },
    option("on-complete", value: "COMMAND", "run this at the end, the JSON report on its input", [.apply]) {
      settings, text throws(Refusal) in
      guard CommandWords.split(text) != nil else { throw Refusal(takes: "a command, its quotes closed") }
      settings.onComplete = text
    },
    option("idle-exit", value: "TIME", "end when nothing was left for so long: 60s", [.agent]) {
      settings, text throws(Refusal) in
      guard let time = DurationText.parse(text) else { throw Refusal(takes: "a duration such as 30s or 5m") }
      settings.idleExit = time
    },
    option("max-duration", value: "TIME", "stop after so long; the next run goes on: 2h", [.apply]) {
      settings, text throws(Refusal) in
      guard let time = DurationText.parse(text) else { throw Refusal(takes: "a duration such as 30s or 5m") }
      settings.maxDuration = time
    },
    option("max-bytes", value: "SIZE", "stop after so much; the next run goes on: 2GiB", [.apply]) {
      settings, text throws(Refusal) in
      guard let size = SizeText.parse(text) else { throw Refusal(takes: "a size such as 500MB or 2GiB") }
      settings.maxBytes = ByteCount(size)
    },
  ]
}

extension HeaderField {
  /// `Name: value` as a person types it; nil for what is no field (RFC 9110, section 5.1 and 5.5).
  fileprivate init?(typed text: String) {
    guard let (name, rest) = text.split(atFirst: ":") else { return nil }
    let value = HeaderText.trimmed(rest)
    guard HeaderText.isName(name), HeaderText.isValue(value) else { return nil }
    self.init(name, value)
  }
}
