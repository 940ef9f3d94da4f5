import DLSyncTestSupport
import Testing

/// The command line is one program among those that use the library.
@Suite struct LayerTests {
  /// The library, its values, locks and threads, the operating system, and what Swift comes with.
  static let allowed: Set<String> = [
    "DLSyncKit", "DLSyncModel", "DLSyncThreading", "DLSyncSystem", "Glibc", "Synchronization",
  ]

  @Test func commandLineUsesNothingThatTheLibraryDoesNotOffer() throws {
    let sources = try Project.sources(of: "DLSyncCLI")
    #expect(sources.count > 50)
    for (path, text) in sources {
      for line in text.split(separator: "\n") {
        guard let module = Self.imported(by: line) else { continue }
        #expect(Self.allowed.contains(module), "\(path) imports \(module)")
      }
    }
  }

  /// `package` is for what lies below: what the command line may use, other programs may use.
  @Test func libraryHidesNothingForTheCommandLine() throws {
    for (path, text) in try Project.sources(of: "DLSyncKit") {
      let hidden = text.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("package ") }
      #expect(hidden.isEmpty, "\(path) has: \(hidden)")
    }
  }

  /// `import X`, with or without an access level and attributes.
  static func imported(by line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(of: "import"), words[..<place].allSatisfy(Self.precedes) else { return nil }
    return words.dropFirst(place + 1).first.map { String($0.prefix { $0 != "." }) }
  }

  private static func precedes(_ word: Substring) -> Bool {
    word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
  }
}
