import DLSyncModel

/// What went wrong, before anything else: one block for each kind of trouble, what to do about it first.
struct HTMLTroubles {
  private let run: RunRecord
  private let groups: [Group]
  private let warnings: [(name: String?, text: String)]
  /// So many files of one kind are read; the rest is folded away.
  private static let open = 8

  /// Files with one code and, as a rule, one hint.
  private struct Group {
    let code: ErrorCode
    let hint: String?
    var files: [ReportedFile] = []
  }

  /// Hints that name a file make no groups beyond so many.
  private static let mostGroups = 30

  init(_ run: RunRecord, _ files: [ReportedFile]) {
    self.run = run
    var groups: [Group] = []
    var places: [String: Int] = [:]
    for file in files {
      guard let error = file.error else { continue }
      var key = "\(error.code) \(error.hint ?? "")"
      let isOverflow = places[key] == nil && groups.count >= Self.mostGroups
      if isOverflow { key = error.code.text }
      if places[key] == nil {
        places[key] = groups.count
        groups.append(Group(code: error.code, hint: isOverflow ? nil : error.hint))
      }
      groups[places[key]!].files.append(file)
    }
    // Failures before conflicts, then the many before the few.
    self.groups = groups.sorted {
      ($0.code.exitStatus == 3 ? 1 : 0, -$0.files.count) < ($1.code.exitStatus == 3 ? 1 : 0, -$1.files.count)
    }
    warnings =
      run.report.warnings.map { (nil, $0) }
      + files.flatMap { file in (file.outcome?.warnings ?? []).map { (file.name, $0) } }
  }

  func write(to channel: OutputChannel) {
    if let error = run.report.end?.error {
      let word = run.report.plan == nil ? "Why nothing was done" : "The run ended early"
      channel.write("<h2>\(word)</h2><article class=\"trouble k-failed\">")
      channel.write("<h3><code>\(error.code)</code></h3>\(hint(error.hint))<p>\(Markup.message(error.message))</p>")
      if !run.diagnostics.isEmpty { fold(run.diagnostics, what: "places", to: channel) { write($0, to: channel) } }
      channel.write("</article>\n")
    }
    if !groups.isEmpty { channel.write("<h2>Problems</h2>\n") }
    for group in groups { write(group, to: channel) }
    guard !warnings.isEmpty else { return }
    channel.write("<h2>Warnings</h2>\n")
    fold(warnings, what: "warnings", to: channel) { warning in
      let name = warning.name.map { "<b>\(Markup.escaped($0))</b> " } ?? ""
      channel.write("<li>\(name)\(Markup.escaped(warning.text))")
    }
  }

  /// A place in a manifest, with its line and a caret below it.
  private func write(_ diagnostic: Diagnostic, to channel: OutputChannel) {
    let path = diagnostic.path.isEmpty ? "" : " <code>\(Markup.escaped(diagnostic.path))</code>"
    channel.write("<li><b>\(Markup.escaped("\(diagnostic.location)"))</b>\(path)")
    channel.write("<p>\(Markup.message(diagnostic.message))</p>")
    if let line = diagnostic.sourceLine {
      let before = TerminalText.escaped(String(line.prefix(max(0, diagnostic.caretColumn - 1))))
      let margin = Fitting.blanks(CharacterWidth.of(before))
      channel.write("<pre>\(Markup.escaped(line))\n\(margin)^</pre>")
    }
    channel.write(hint(diagnostic.hint) + "\n")
  }

  private func write(_ group: Group, to channel: OutputChannel) {
    let kind = group.code.exitStatus == 3 ? "k-conflict" : "k-failed"
    channel.write("<article class=\"trouble \(kind)\"><h3><code>\(group.code)</code> ")
    channel.write("<span>\(Wording.count(group.files.count, "file", "files"))</span></h3>\(hint(group.hint))\n")
    fold(group.files, what: "files", to: channel) { file in
      guard let error = file.error else { return }
      channel.write("<li><b>\(Markup.escaped(file.name))</b>")
      if group.hint == nil { channel.write(hint(error.hint)) }
      channel.write("\(text(error.message, about: file.plan.entry.url))\n")
    }
    channel.write("</article>\n")
  }

  private func hint(_ text: String?) -> String {
    text.map { "<p class=\"hint\">\(Markup.message($0))</p>" } ?? ""
  }

  /// The first of them, and the rest behind a click; `item` begins a list item.
  private func fold<Item>(_ items: [Item], what: String, to channel: OutputChannel, _ item: (Item) -> Void) {
    channel.write("<ul>")
    for each in items.prefix(Self.open) { item(each) }
    channel.write("</ul>\n")
    guard items.count > Self.open else { return }
    channel.write("<details><summary>\(items.count - Self.open) more \(what)</summary><ul>")
    for each in items.dropFirst(Self.open) { item(each) }
    channel.write("</ul></details>\n")
  }

  /// The message; where it names the URL it is the link, else that follows.
  private func text(_ message: String, about url: SourceURL) -> String {
    guard let place = message.firstRange(of: url.shown) else {
      return "<p>\(Markup.message(message))</p><p class=\"url\">\(link(url))</p>"
    }
    let (before, after) = (message[..<place.lowerBound], message[place.upperBound...])
    return "<p>\(Markup.escaped(String(before)))\(link(url))\(Markup.escaped(String(after)))</p>"
  }

  /// A link only where it leads to what was asked for: a URL with a credential left out does not.
  private func link(_ url: SourceURL) -> String {
    let text = Markup.escaped(url.shown)
    return url.redacted == url.text ? "<a href=\"\(Markup.escaped(url.text))\" rel=\"noreferrer\">\(text)</a>" : text
  }
}
