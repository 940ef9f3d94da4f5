import DLSyncTestSupport
import Glibc
import Testing

/// What a run was about when it was killed.
enum Scene: String, CaseIterable, Sendable {
  /// One file where nothing was.
  case newFile
  /// One file beside a user's, in a folder that was there.
  case oldFolder
  /// Another file in the place of one that dlsync published.
  case replacement
  /// Small files that share their flushes and commits.
  case group
  /// One file over four connections.
  case segmented
}

/// A manifest on its way, the processes that are killed over it, and what must be true whenever one was.
final class KilledWorld {
  /// What stands at a destination before the run and must stand there after it.
  struct File {
    let name: String
    let path: String
    let wanted: [UInt8]
    /// What dlsync published there earlier.
    var previous: [UInt8]?
  }

  let sandbox: Sandbox
  let files: [File]
  /// A file of the user, if there is one.
  let foreign: String?
  let manifest: String
  /// Whether one file takes several requests.
  private let mayAskAgain: Bool
  private var kills = 0

  init(_ scene: Scene, fileCount: Int = 40) throws {
    sandbox = try Sandbox()
    foreign = scene == .oldFolder ? "deep/mine" : nil
    if let foreign { try sandbox.folder.write("mine", to: "work/out/" + foreign) }
    switch scene {
    case .newFile, .oldFolder:
      files = [File(name: "deep/a", path: "/a", wanted: payload(count: 300_000, seed: 1))]
    case .replacement:
      files = [
        File(
          name: "a", path: "/new", wanted: payload(count: 300_000, seed: 2),
          previous: payload(count: 200_000, seed: 3))
      ]
    case .group:
      files = (0..<fileCount).map { number in
        File(
          name: "d\(number % 3)/f\(number)", path: "/f\(number)",
          wanted: payload(count: 500 + 97 * number, seed: UInt64(number)))
      }
    case .segmented:
      files = [File(name: "deep/a", path: "/a", wanted: payload(count: 1_500_000, seed: 4))]
    }
    mayAskAgain = scene == .segmented
    for file in files { sandbox.origin.serve(file.path, .file(file.wanted)) }
    for file in files {
      guard let previous = file.previous else { continue }
      sandbox.origin.serve("/old", .file(previous))
      let first = try sandbox.manifest(files: [("/old", file.name)])
      #expect(try sandbox.run("apply", first).status == 0)
    }
    let queue = scene == .segmented ? "{ connectionsPerFile: 4, chunkSize: 64KiB }" : "{}"
    manifest = try sandbox.manifest(files: files.map { ($0.path, $0.name) }, queue: queue)
  }

  /// Runs until the checkpoint is reached and kills the run there; false when the run ended without getting there.
  func kill(at checkpoint: String) throws -> Bool {
    kills += 1
    let marker = sandbox.folder("marker\(kills)")
    var launch = sandbox.runner.launch(["apply", manifest])
    launch.environment["DLSYNC_CHECKPOINT"] = checkpoint
    launch.environment["DLSYNC_CHECKPOINT_FILE"] = marker
    let process = try ChildProcess(launch)
    let isThere = until { access(marker, F_OK) == 0 || !process.isRunning } && access(marker, F_OK) == 0
    process.kill()
    let result = process.wait()
    if isThere { #expect(result.signal == SIGKILL, "\(result)") } else { Issue.record("\(result)") }
    return isThere
  }

  /// Whether nothing but what is wanted, and the user's file, is below the root.
  var holdsNothingElse: Bool {
    let names = files.map(\.name) + (foreign.map { [$0] } ?? [])
    return sandbox.folder.files(below: "work/out") == names.map { "work/out/" + $0 }.sorted()
      && (foreign == nil || sandbox.published(foreign!) == Array("mine".utf8))
  }

  /// The files that are right already. Any other byte at a destination is an issue.
  func rightFiles() -> Set<String> {
    var right: Set<String> = []
    for file in files {
      let found = sandbox.published(file.name)
      if found == file.wanted {
        right.insert(file.path)
      } else if found != file.previous {
        Issue.record("\(file.name) has \(found?.count ?? 0) bytes that are neither the old nor the new ones")
      }
    }
    return right
  }

  /// One undisturbed run brings the tree that there would be without any kill: no conflict, no leftover, and no request for
  /// what was there. The plan before says the same.
  func finish() throws {
    let right = rightFiles()
    let (planned, plan) = try sandbox.json("plan", manifest)
    #expect(planned.status == 0, "\(planned)")
    #expect(plan["summary"]["conflict"].integer == 0, "\(planned.output)")
    #expect(plan["summary"]["reuse"].integer == right.count, "\(planned.output)")
    let before = sandbox.origin.requests().count
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0, "\(result)")
    #expect(document["summary"]["conflicts"].integer == 0 && document["summary"]["failed"].integer == 0)
    let asked = sandbox.origin.requests().dropFirst(before).map(\.path)
    #expect(right.isDisjoint(with: asked), "asked for again: \(right.intersection(asked).sorted())")
    #expect(mayAskAgain || Set(asked).count == asked.count, "asked for more than once: \(asked)")
    #expect(rightFiles().count == files.count)
    #expect(holdsNothingElse, "\(sandbox.folder.files(below: "work/out"))")
    let (_, last) = try sandbox.json("plan", manifest)
    #expect(last["summary"]["reuse"].integer == files.count)
  }
}
