import DLSyncKit
import Glibc

/// Downloads three files of a server into a folder, with progress.
///
///     swift run embedding http://127.0.0.1:8000 downloads
@main
struct Embedding {
  static let files = ["readme.txt", "guide.txt", "data/model.bin"]

  static func main() async throws {
    guard CommandLine.arguments.count == 3 else {
      print("usage: embedding ORIGIN FOLDER")
      exit(2)
    }
    let (origin, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])

    // What is unfinished when the program ends goes on when it opens the queue again.
    let manager = DownloadManager(stateFolder: folder + "/.state")
    let queue = try await manager.open(queue: "example") { $0.concurrency = 2 }

    // Whoever asks for the same again gets the task that is there: this program may run any number of times.
    let requests = try files.map { try DownloadRequest("\(origin)/\($0)", to: "\(folder)/\($0)") }
    let results = try await queue.downloadMany(requests)

    await withTaskGroup { group in
      for (file, result) in zip(files, results) {
        group.addTask { await follow(file, result) }
      }
    }
    await manager.close()
  }

  /// Shows how far a file is, then how it ended.
  static func follow(_ file: String, _ result: Result<DownloadTask, DLSyncError>) async {
    do throws(DLSyncError) {
      let task = try result.get()
      for await case .progress(_, let sample) in task.updates { print(file, line(sample)) }
      print(file, "is at", try await task.waitUntilFinished())
    } catch {
      print(file, "failed:", error.message, error.hint.map { "(\($0))" } ?? "")
    }
  }

  /// `4.0 MiB of 12.0 MiB, 2.1 MiB/s`
  static func line(_ sample: ProgressSample) -> String {
    var text = "\(sample.completed)"
    if let total = sample.total { text += " of \(total)" }
    if let speed = sample.bytesPerSecond { text += ", \(ByteCount(Int64(speed)))/s" }
    return text
  }
}
