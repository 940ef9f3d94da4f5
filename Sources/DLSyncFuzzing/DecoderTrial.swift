import DLSyncManifest
import DLSyncModel

/// Hands one input to every reader of this program, and holds the answers to what is always true of them.
struct DecoderTrial {
  /// What must be true and is not.
  struct Violation: Error { let message: String }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func run() throws(Violation) {
    try decodeManifest(bytes)
    try readLists()
    _ = PublishedList(bytes).digest(of: "a", algorithm: nil)
    do throws(ManifestError) { _ = try LockDecoder(source: "m.lock").decode(bytes) } catch { try check(error, bytes) }
  }

  /// A manifest, right or wrong: every error has a place in the text, and every file of a right one is safe.
  private func decodeManifest(_ bytes: [UInt8]) throws(Violation) {
    let context = Self.context(bytes)
    var slow = context
    slow.readsPlainEntries = false
    let other: Result<Manifest, ManifestError> = Result { () throws(ManifestError) in
      try ManifestDecoder(context: slow).decode(bytes)
    }
    let manifest: Manifest
    do throws(ManifestError) { manifest = try ManifestDecoder(context: context).decode(bytes) } catch {
      guard case .failure(let same) = other, same.diagnostics.map(\.description) == error.diagnostics.map(\.description)
      else { throw Violation(message: "read otherwise without libyaml: \(error.diagnostics[0].description)") }
      return try check(error, bytes)
    }
    guard case .success(let same) = other, same.files.map(Self.text) == manifest.files.map(Self.text) else {
      throw Violation(message: "read otherwise without libyaml")
    }
    try Self.check(manifest)
  }

  /// Everything that an entry says.
  private static func text(_ file: FileEntry) -> String {
    "\(file.line):\(file.column) \(file.id) \(file.url.text) \(file.destination) \(file.queue) \(file.checksums) "
      + "\(String(describing: file.size)) \(file.priority) \(file.options.settings)"
  }

  private static func context(_ bytes: [UInt8]) -> ManifestContext {
    ManifestContext(
      source: "m.yaml", canonicalPath: "/work/m.yaml", environment: ["HOME": "/home/me", "SET": "${a}: \n"],
      variables: ["release": "v"], managedFolder: "/state/files",
      openList: { (path) throws(DLSyncError) in
        if path.hasSuffix("missing.csv") { throw DLSyncError(.usage, "it is not there") }
        return MemoryList(bytes)
      })
  }

  private static func check(_ manifest: Manifest) throws(Violation) {
    for file in manifest.files {
      let path = file.destination.path
      guard path.isAbsolutePath, !path.utf8.contains(0), !path.pathComponents.contains("..") else {
        throw Violation(message: "an unsafe destination: \(path)")
      }
      guard (try? SourceURL(file.url.text))?.text == file.url.text else {
        throw Violation(message: "a URL that is not itself when it is read again: \(file.url.text)")
      }
      guard (0...1).contains(file.priority), file.size.map({ $0.bytes >= 0 }) ?? true else {
        throw Violation(message: "a value out of range")
      }
    }
  }

  private func check(_ error: ManifestError, _ bytes: [UInt8]) throws(Violation) {
    guard !error.diagnostics.isEmpty else { throw Violation(message: "an error without a diagnostic") }
    for diagnostic in error.diagnostics {
      let location = diagnostic.location
      guard location.line >= 1, location.column >= 1, location.line <= bytes.count + 2, !diagnostic.message.isEmpty
      else {
        throw Violation(message: "a diagnostic without a place: \(diagnostic.description)")
      }
      guard diagnostic.description.utf8.count < 8192 else {
        throw Violation(message: "a diagnostic of \(diagnostic.description.utf8.count) bytes")
      }
    }
  }

  /// What is imported is a good manifest.
  private func readLists() throws(Violation) {
    guard let base = try? SourceURL("https://h/d/") else { return }
    for format in ListFormat.allCases {
      let list: ConvertedList
      do throws(DLSyncError) {
        list = try ListReading.manifest(bytes, format, source: "l", base: base)
      } catch {
        guard error.code == .manifestInvalid else { throw Violation(message: "\(format): \(error)") }
        continue
      }
      let context = ManifestContext(source: "m.yaml", canonicalPath: "/work/m.yaml")
      do throws(ManifestError) {
        let manifest = try ManifestDecoder(context: context).decode(Array(list.text.utf8))
        for other in ListFormat.allCases { _ = ListWriting.list(manifest, other) }
      } catch {
        throw Violation(message: "\(format) was imported as a wrong manifest: \(error.diagnostics[0].description)")
      }
    }
  }
}

/// A list in pieces of a few bytes.
private final class MemoryList: ListStream {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func read() throws(DLSyncError) -> [UInt8] {
    defer { rest = rest.dropFirst(113) }
    return Array(rest.prefix(113))
  }
}
