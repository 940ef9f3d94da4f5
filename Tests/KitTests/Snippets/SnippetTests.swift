import DLSyncTestSupport
import Testing

/// What is shown of Swift is Swift that is compiled.
@Suite struct SnippetTests {
  /// Where this package is.
  static let root = String(#filePath.dropLast("/Tests/KitTests/Snippets/SnippetTests.swift".count))

  static let documents = [
    "Sources/DLSyncKit/DLSyncKit.docc/DLSyncKit.md", "Sources/DLSyncKit/DLSyncKit.docc/YourFirstQueue.md",
    "Sources/DLSyncKit/DLSyncKit.docc/TheManifest.md", "Sources/DLSyncKit/DLSyncKit.docc/Errors.md", "README.md",
    "Sources/DLSyncKit/Workspace.swift", "Sources/DLSyncKit/Library/DownloadManager.swift",
    "Sources/DLSyncKit/Library/DownloadQueue.swift", "Sources/DLSyncKit/Library/DownloadTask.swift",
    "Sources/DLSyncKit/Library/DownloadRequest.swift", "Sources/DLSyncKit/Library/DownloadUpdate.swift",
    "Sources/DLSyncKit/Declarative/Planner.swift", "Sources/DLSyncKit/Declarative/Executor.swift",
    "Sources/DLSyncKit/Declarative/Manifest+Load.swift",
  ]

  static let compiled = [
    "Tests/KitTests/Snippets/FirstQueueSnippets.swift", "Tests/KitTests/Snippets/ManifestSnippets.swift",
    "Tests/KitTests/Snippets/ErrorSnippets.swift", "examples/embedding/Package.swift",
    "examples/embedding/Sources/embedding/Embedding.swift",
  ]

  @Test(arguments: documents) func everySnippetIsCompiled(_ document: String) throws {
    let sources = try Self.compiled.map { try Self.plain(Self.lines(of: $0)) }
    let snippets = Self.snippets(in: try Self.lines(of: document))
    if document.hasSuffix("FirstQueue.md") || document.hasSuffix("DownloadManager.swift") {
      #expect(!snippets.isEmpty)
    }
    for snippet in snippets {
      #expect(sources.contains { $0.holds(snippet) }, "nobody compiles:\n\(snippet.joined(separator: "\n"))")
    }
  }

  private static func lines(of path: String) throws -> [String] {
    let text = try #require(FileBytes.text(root + "/" + path), "\(path) is not there")
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Lines without what is left of them, and without empty ones.
  private static func plain(_ lines: [String]) -> [String] {
    lines.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  /// The blocks that are marked as Swift, in prose and in doc comments.
  private static func snippets(in lines: [String]) -> [[String]] {
    var snippets: [[String]] = []
    var present: [String]?
    for line in lines {
      var text = line.drop { $0 == " " }
      if text.hasPrefix("///") { text = text.dropFirst(3).drop { $0 == " " } }
      if present != nil, text.hasPrefix("```") {
        snippets.append(plain(present!))
        present = nil
      } else if text == "```swift" {
        present = []
      } else {
        present?.append(String(text))
      }
    }
    return snippets
  }
}

extension [String] {
  /// Whether other lines stand somewhere in these, one after another.
  fileprivate func holds(_ other: [String]) -> Bool {
    guard let first = other.first else { return false }
    return indices.contains { self[$0] == first && Array(self[$0...].prefix(other.count)) == other }
  }
}
