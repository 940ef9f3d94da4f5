import DLSyncKit

/// Of "Errors".
enum ErrorSnippets {
  static func tell(_ task: DownloadTask) async {
    do {
      try await task.waitUntilFinished()
    } catch {
      print(error.message)
      if let hint = error.hint { print("hint: \(hint)") }
    }
  }

  static func decide(
    _ error: DLSyncError, renewToken: () async throws -> Void, report: (String) -> Void
  ) async throws {
    switch error.code {
    case .authenticationRequired: try await renewToken()
    case .checksumMismatch, .sizeMismatch: report("not the file that was expected: \(error.message)")
    case .diskFull: report("make room: \(error.message)")
    default: report(error.message)
    }
  }
}
