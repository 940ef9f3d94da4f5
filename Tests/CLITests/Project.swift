import DLSyncTestSupport

/// The files of the project itself, for tests that hold documents against the program.
enum Project {
  /// The folder that holds `Package.swift`.
  static let root = String(#filePath.dropLast("/Tests/CLITests/Project.swift".count))

  static func text(_ path: String) throws -> String {
    guard let text = FileBytes.text("\(root)/\(path)") else { throw Missing(path: path) }
    return text
  }

  struct Missing: Error { let path: String }

  /// Every manifest in `examples/`.
  static let exampleManifests = [
    "examples/quickstart/manifest.yaml", "examples/ci-artifacts/manifest.yaml", "examples/nightly-mirror/mirror.yaml",
  ]

  /// The fenced blocks of a Markdown text with this language.
  static func blocks(_ language: String, in text: String) -> [String] {
    text.split(separator: "```\(language)\n").dropFirst().compactMap { rest in
      rest.firstRange(of: "\n```").map { String(rest[..<$0.lowerBound]) + "\n" }
    }
  }
}
