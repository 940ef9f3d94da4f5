import DLSyncModel

/// A plan as people read it: what will happen first, conflicts with their reasons, what stays only when asked for.
struct PlanText {
  private let palette: Palette
  private let columns: Int?
  private let isVerbose: Bool
  private let isQuiet: Bool
  private let prunes: Bool
  private let isOneOfMany: Bool

  /// `columns` is the width of the terminal; nil where nothing may be cut.
  init(
    palette: Palette, columns: Int?, isVerbose: Bool = false, isQuiet: Bool = false, prunes: Bool = false,
    isOneOfMany: Bool = false
  ) {
    self.palette = palette
    self.columns = columns
    self.isVerbose = isVerbose
    self.isQuiet = isQuiet
    self.prunes = prunes
    self.isOneOfMany = isOneOfMany
  }

  init(_ context: CommandContext, isOneOfMany: Bool) {
    self.init(
      palette: context.peopleTerminal.palette, columns: context.peopleTerminal.columns,
      isVerbose: context.settings.isVerbose, isQuiet: context.settings.isQuiet, prunes: context.settings.prunes,
      isOneOfMany: isOneOfMany)
  }

  func write(_ plan: Plan, to channel: OutputChannel) {
    if isOneOfMany { channel.write(palette.bold(TerminalText.escaped(plan.source) + ":") + "\n") }
    let groups: [Group] = isQuiet ? [.conflict] : isVerbose ? Group.allCases : [.download, .change, .held, .conflict]
    let table = PlanTable(plan, groups, palette: palette, columns: columns)
    var hasLines = false
    if !isQuiet { hasLines = writeQueues(of: plan, to: channel) }
    for group in groups {
      for file in plan.files where Group(file) == group {
        hasLines = true
        channel.write(table.line(file, group))
      }
      if group == .held { channel.write(HeldText(palette: palette).hints(reasons(in: plan, group))) }
    }
    if isVerbose || prunes && !isQuiet { hasLines = writeOrphans(of: plan, to: channel) || hasLines }
    guard !isQuiet else { return }
    if hasLines { channel.write("\n") }
    channel.write(Self.summary(plan, palette) + "\n")
    if isOneOfMany { channel.write("\n") }
  }

  /// `Plan: 3 to download (12.4 MiB), 97 unchanged, 1 conflict.`
  static func summary(_ plan: Plan, _ palette: Palette) -> String {
    let summary = plan.summary
    let changing = plan.files.count { $0.changesMode }
    var parts = ["\(summary.download) to download\(size(plan))"]
    if changing > 0 { parts.append("\(changing) to change") }
    parts.append("\(summary.reuse - changing) unchanged")
    let conflicts = Wording.count(summary.conflict, "conflict", "conflicts")
    parts.append(summary.conflict > 0 ? palette.red(conflicts) : conflicts)
    if summary.held > 0 { parts.append("\(summary.held) held") }
    if !plan.orphans.isEmpty { parts.append(Wording.count(plan.orphans.count, "orphan", "orphans")) }
    return palette.bold("Plan:") + " " + parts.joined(separator: ", ") + "."
  }

  /// What is known of the sum; nothing where no size is known.
  private static func size(_ plan: Plan) -> String {
    guard plan.summary.download > 0 else { return "" }
    let unknown = plan.files.count { $0.action == .download && !$0.isHeld && $0.bytes == nil }
    if unknown == plan.summary.download { return "" }
    return " (\(unknown > 0 ? "at least " : "")\(plan.summary.downloadBytes))"
  }

  private func reasons(in plan: Plan, _ group: Group) -> Set<PlanReason> {
    Set(plan.files.lazy.filter { Group($0) == group }.map(\.reason))
  }

  private func writeQueues(of plan: Plan, to channel: OutputChannel) -> Bool {
    var wrote = false
    for queue in plan.queues where queue.action == .update || queue.action == .conflict {
      let sign = queue.action == .update ? palette.yellow("~") : palette.red("!")
      let changes = queue.changes.isEmpty ? "" : ": " + queue.changes.joined(separator: ", ")
      channel.write("\(sign) queue \(TerminalText.escaped(queue.declaration.name.text))\(palette.dim(changes))\n")
      wrote = true
    }
    return wrote
  }

  private func writeOrphans(of plan: Plan, to channel: OutputChannel) -> Bool {
    let fate = prunes ? "will be forgotten; its file goes if it is unchanged" : "no longer in the manifest"
    for orphan in plan.orphans {
      channel.write("  \(TerminalText.escaped(orphan.destination))  \(palette.dim(fate))\n")
    }
    return !plan.orphans.isEmpty
  }

  /// The groups of a plan, in the order in which they are shown.
  enum Group: CaseIterable {
    case download, change, held, conflict, reuse

    init(_ file: FilePlan) {
      switch (file.action, file.reason) {
      case (.conflict, _): self = .conflict
      case _ where file.changesMode: self = .change
      case (.reuse, _): self = .reuse
      case _ where file.isHeld: self = .held
      case (_, .changed), (_, .replace), (_, .stale): self = .change
      default: self = .download
      }
    }
  }
}
