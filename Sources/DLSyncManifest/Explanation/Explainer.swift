import DLSyncModel

/// Puts together what was read where and what came of it.
struct Explainer {
  private let context: ManifestContext
  private let head: Head
  private let trace: Trace
  private let match: Trace.Match
  private let held: FileEntry
  private let lock: String?

  /// `held` is the same entry as the lock file `lock` has it.
  init(_ context: ManifestContext, _ head: Head, _ trace: Trace, _ match: Trace.Match, held: FileEntry, lock: String?) {
    self.context = context
    self.head = head
    self.trace = trace
    self.match = match
    self.held = held
    self.lock = lock
  }

  var explanation: Explanation {
    Explanation(entry: held, location: location(match.place, list: match.list), values: fileValues + queueValues)
  }

  // MARK: The file's keys

  private var fileValues: [ExplainedValue] {
    let settings = held.options.settings
    var values = [value("url", held.url.redacted)]
    if case .url(let base) = head.baseURL, trace.notes["baseURL"] != nil {
      values.append(top("baseURL", base.redacted))
    }
    values.append(destination)
    if held.destination.root != nil { values.append(top("root", head.root)) }
    values += [
      value("queue", held.queue.text), value("mirrors", list(settings.mirrors.map(\.redacted))),
    ]
    values += checksums
    values += [
      size, value("priority", "\(held.priority)"),
    ]
    values += settings.headers.map { value("headers.\($0.name)", "…") }
    values += [
      value("permissions", settings.permissions.map { "0" + String($0, radix: 8) } ?? "0666 less the umask"),
      value("onConflict", settings.onConflict.rawValue), value("refresh", Self.words(settings.refresh)),
      value("contentEncoding", settings.keepsEncoding ? "keep" : "reject"),
      value("modified", settings.takesServerTime ? "server" : "now"),
      value("notify", list([settings.notify?.success, settings.notify?.failure].compactMap(\.self))),
      value("tags", list(settings.tags)),
    ]
    return values
  }

  private var destination: ExplainedValue {
    let path = held.destination.path
    if let note = match.notes["destination"] {
      return explained("destination", path, match.list == nil ? .manifest : .list, note, list: match.list)
    }
    guard path.beginsBytewise(with: context.managedFolder + "/") else {
      return ExplainedValue("destination", path, .derived, name: "url")
    }
    var managed = ExplainedValue("destination", path, .derived)
    managed.location = value("managed", nil).location
    return managed
  }

  private var checksums: [ExplainedValue] {
    let own = Set(match.entry.checksums)
    var values = match.entry.checksums.map { value("checksum", $0.description) }
    values += held.options.settings.listedChecksums.map { value("checksum", "from \($0.place)") }
    values += held.checksums.filter { !own.contains($0) }.map { ofLock("checksum", $0.description) }
    return values.isEmpty ? [value("checksum", nil)] : values
  }

  private var size: ExplainedValue {
    let text = held.size.map { "\($0.bytes)" }
    return match.entry.size == nil && held.size != nil ? ofLock("size", text) : value("size", text)
  }

  private func ofLock(_ key: String, _ text: String?) -> ExplainedValue {
    ExplainedValue(key, text, .lock, name: lock)
  }

  private func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }

  private static func words(_ policy: RefreshPolicy) -> String {
    switch policy {
    case .never: "never"
    case .always: "always"
    case .after(let time): "after \(time.secondsText) s"
    }
  }

  // MARK: The queue's keys

  private var queueValues: [ExplainedValue] {
    guard let queue = head.queues.first(where: { $0.name == held.queue }) else { return [] }
    return queue.configuration.settings.map { setting in
      // A proxy's URL may hold a password; the settings have a fingerprint of it alone.
      let text = setting.value.hasPrefix("url-") && setting.key == "network.proxy" ? "…" : setting.value
      let key = "queue.\(setting.key)"
      guard let note = trace.notes["queues.\(Quote.short(queue.name.text)).\(setting.key)"] else {
        return ExplainedValue(key, text.isEmpty ? nil : text, .builtIn)
      }
      return explained(key, text.isEmpty ? nil : text, .manifest, note, list: nil)
    }
  }

  // MARK: Origins

  private func value(_ key: String, _ text: String?) -> ExplainedValue {
    if let note = match.notes[key] {
      return explained(key, text, match.list == nil ? .manifest : .list, note, list: match.list)
    }
    if let list = match.list, let note = trace.notes["filesFrom[\(list)].\(key)"] {
      return explained(key, text, .listDefaults, note, list: nil)
    }
    if let note = trace.notes["defaults.\(key)"] { return explained(key, text, .defaults, note, list: nil) }
    return ExplainedValue(key, text, .builtIn)
  }

  /// A key of the top level.
  private func top(_ key: String, _ text: String) -> ExplainedValue {
    guard let note = trace.notes[key] else { return ExplainedValue(key, text, .builtIn) }
    return explained(key, text, .manifest, note, list: nil)
  }

  private func explained(
    _ key: String, _ text: String?, _ origin: ExplainedValue.Origin, _ note: Trace.Note, list: Int?
  ) -> ExplainedValue {
    var value = ExplainedValue(key, text, origin, location: location(note.place, list: list))
    // In lists `${` means nothing.
    if list == nil { value.variables = note.variables.map(variable) }
    return value
  }

  private func location(_ place: TextPosition, list: Int?) -> SourceLocation {
    let file = list.flatMap { number in head.lists.first { $0.index == number }?.path } ?? context.source
    return SourceLocation(file: file, line: Int(place.line), column: Int(place.column))
  }

  private func variable(_ text: String) -> ExplainedValue.Variable {
    guard text.hasPrefix("env:") else {
      let origin: ExplainedValue.Variable.Origin =
        match.matrix.contains(text) ? .matrix : context.variables[text] != nil ? .option : .vars
      let line = origin == .vars ? trace.notes["vars.\(text)"].map { Int($0.place.line) } : nil
      return ExplainedValue.Variable(name: text, origin: origin, line: line)
    }
    let name = text.dropFirst(4).prefix { $0 != ":" }
    let isSet = context.environment[String(name)].map { !$0.isEmpty || !text.contains(":-") } ?? false
    return ExplainedValue.Variable(name: "env:\(name)", origin: isSet ? .environment : .fallback, line: nil)
  }
}
