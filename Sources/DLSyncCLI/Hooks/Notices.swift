import DLSyncKit
import DLSyncModel
import DLSyncSystem
import DLSyncThreading
import Glibc

/// Delivers the texts of a manifest's `notify`, each once for a terminal result: to the desktop where a session bus and
/// `notify-send` are there, else to whoever prints lines. The texts are the manifest's, so nothing of them is a command.
final class Notices {
  private let environment: [String: String]
  private let print: (String) -> Void
  private let hasDesktop: Bool
  private var files: [FilePlan] = []
  /// Started and not yet at their end, of the whole process: the agent lives long.
  private static let started = Locked<[pid_t]>([])

  /// `print` takes a text for people where there is no desktop.
  init(environment: [String: String], print: @escaping (String) -> Void) {
    self.environment = environment
    self.print = print
    hasDesktop = Self.findsDesktop(environment)
  }

  /// Goes on with a plan that was told of before.
  func know(_ files: [FilePlan]) { self.files = files }

  func receive(_ event: Event) {
    switch event {
    case .planned(let plan): files = plan.files
    case .joined(let more): files += more
    // Lines of the agent are in its log alone.
    case .ended(let outcome) where !outcome.isHandedOver && !(outcome.isAgents && hasDesktop):
      guard files.indices.contains(outcome.file), let texts = files[outcome.file].entry.options.settings.notify else {
        return
      }
      // A file that was right before is no news.
      if outcome.state == .completed, outcome.from != .completed { deliver(texts.success) }
      if outcome.state == .failed { deliver(texts.failure) }
    default: break
    }
  }

  /// The end of a whole run. That all is well is the agent's to tell where it has files left.
  func end(_ texts: NotificationTexts?, _ report: Report) {
    guard let texts, report.isTerminal else { return }
    let summary = report.summary
    if report.exitStatus != 0 {
      deliver(texts.failure)
    } else if summary.downloaded + summary.pruned > 0, summary.handedOver == 0 {
      deliver(texts.success)
    }
  }

  private func deliver(_ text: String?) {
    guard let text, !text.isEmpty else { return }
    Self.started.withLock { $0.removeAll { Program.end(of: $0) != nil } }
    guard hasDesktop else { return print(text) }
    let words = ["notify-send", "--app-name=dlsync", "--", "dlsync", Self.plain(text)]
    switch Program(words: words, environment: environment).start(.init(output: 2, error: 2)) {
    case .success(let process): Self.started.withLock { $0.append(process) }
    case .failure: print(text)
    }
  }

  /// The body of a desktop notification may hold markup; this one does not.
  private static func plain(_ text: String) -> String {
    text.escaped { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: nil
      }
    }
  }

  private static func findsDesktop(_ environment: [String: String]) -> Bool {
    let hasBus =
      !(environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").isEmpty
      || environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } == true
    guard hasBus else { return false }
    return (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").contains {
      access($0 + "/notify-send", X_OK) == 0
    }
  }
}
