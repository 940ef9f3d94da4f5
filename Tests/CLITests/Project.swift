import DLSyncTestSupport
import Glibc

/// The files of the project itself, for tests that hold documents against the program.
enum Project {
  /// The folder that holds `Package.swift`.
  static let root = String(#filePath.dropLast("/Tests/CLITests/Project.swift".count))

  static func text(_ path: String) throws -> String {
    guard let text = FileBytes.text("\(root)/\(path)") else { throw Missing(path: path) }
    return text
  }

  /// The Swift files of a target, by path.
  static func sources(of target: String) throws -> [(path: String, text: String)] {
    try files(in: "Sources/\(target)").filter { $0.hasSuffix(".swift") }.map { ($0, try text($0)) }
  }

  private static func files(in folder: String) -> [String] {
    guard let stream = opendir("\(root)/\(folder)") else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let path = "\(folder)/\(name)"
      found += entry.pointee.d_type == UInt8(DT_DIR) ? files(in: path) : [path]
    }
    return found.sorted()
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
