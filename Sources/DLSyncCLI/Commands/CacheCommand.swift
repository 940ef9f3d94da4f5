import DLSyncKit
import DLSyncModel

/// `dlsync cache`: what dlsync keeps beside the files of manifests, and its end.
enum CacheCommand {
  static let guide = CommandGuide(
    arguments: .actions([.init(word: "info"), .init(word: "clear")]),
    summary: "show or clear the cache and partial data", example: "dlsync cache info",
    explanation: [
      "info shows how many files and bytes there are of dlsync's own store (managed files), of the cache (--cache, else"
        + " DLSYNC_CACHE) and of partial data. It changes nothing.",
      "clear drops what belongs to finished tasks: the bytes in the cache, and partial data that no run goes on with. It"
        + " never deletes a published or managed file or a record, nor what an unfinished task goes on with.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    do {
      let workspace = try context.workspace()
      if context.arguments[0] == "info" {
        show(try await workspace.cacheInfo(), context)
      } else {
        show(try await workspace.clearCache(), workspace, context)
      }
      return 0
    } catch {
      return context.fail(error)
    }
  }

  private static func show(_ usage: CacheUsage, _ context: CommandContext) {
    let rows = [
      ("managed", "managed files", usage.managed), ("cached", "cache", usage.cached),
      ("partial", "partial data of unfinished tasks", usage.partial),
      ("abandoned", "partial data that nobody goes on with", usage.abandoned),
    ]
    guard context.settings.format == .text else {
      return write("info", usage.folder, rows.map { ($0.0, $0.2) }, context)
    }
    guard !context.settings.isQuiet else { return }
    for (name, words, tally) in rows {
      let place = name == "cached" ? usage.folder.map { ", in \(TerminalText.escaped($0))" } ?? ", which is off" : ""
      context.output.write("\(Fitting.padded(words, columns: 37))  \(text(tally))\(place)\n")
    }
  }

  private static func show(_ clearance: CacheClearance, _ workspace: Workspace, _ context: CommandContext) {
    guard context.settings.format == .text else {
      let rows = [("cached", clearance.cached), ("partial", clearance.partial)]
      return write("clear", workspace.cacheFolder, rows, context)
    }
    guard !context.settings.isQuiet else { return }
    context.output.write(
      "Dropped: \(text(clearance.cached)) of the cache, \(text(clearance.partial)) of partial data.\n")
  }

  private static func text(_ tally: FileTally) -> String {
    "\(Wording.count(tally.count, "file", "files")) (\(tally.bytes))"
  }

  private static func write(
    _ action: String, _ folder: String?, _ rows: [(name: String, tally: FileTally)], _ context: CommandContext
  ) {
    context.json.object {
      context.json.field("formatVersion", 1)
      context.json.field("command", CommandWord.cache.rawValue)
      context.json.field("action", action)
      context.json.field("folder", folder)
      for row in rows {
        context.json.field(row.name) {
          context.json.field("count", row.tally.count)
          context.json.field("bytes", row.tally.bytes)
        }
      }
      context.json.field("exitStatus", 0)
    }
    context.json.endLine()
  }
}
