import DLSyncManifest
import DLSyncModel

/// Decodes manifests as tests write them. Line 1 of every table is the text's own first line.
enum Reading {
  static let environment = ["HOME": "/home/me", "SET": "yes", "EMPTY": "", "SECRET": "hunter2"]

  static func decode(
    _ text: String, source: String = "m.yaml", environment: [String: String] = environment,
    variables: [String: String] = [:]
  ) -> Result<Manifest, ManifestError> {
    decode(Array(text.utf8), source: source, environment: environment, variables: variables)
  }

  static func decode(
    _ bytes: [UInt8], source: String = "m.yaml", environment: [String: String] = environment,
    variables: [String: String] = [:]
  ) -> Result<Manifest, ManifestError> {
    let context = ManifestContext(
      source: source, canonicalPath: "/work/m.yaml", environment: environment, variables: variables,
      managedFolder: "/state/files")
    do throws(ManifestError) {
      return .success(try ManifestDecoder(context: context).decode(bytes))
    } catch {
      return .failure(error)
    }
  }

  /// The diagnostics as they are shown, none where the manifest is right.
  static func rendered(_ text: String, variables: [String: String] = [:]) -> [String] {
    guard case .failure(let error) = decode(text, variables: variables) else { return [] }
    return error.diagnostics.map(\.description)
  }

  /// `LINE:COLUMN PATH: MESSAGE`, one a diagnostic.
  static func short(_ text: String, variables: [String: String] = [:]) -> [String] {
    guard case .failure(let error) = decode(text, variables: variables) else { return [] }
    return error.diagnostics.map { diagnostic in
      let path = diagnostic.path.isEmpty ? "" : "\(diagnostic.path): "
      return "\(diagnostic.location.line):\(diagnostic.location.column) \(path)\(diagnostic.message)"
    }
  }

  /// The manifest, or a thrown error that shows what was wrong.
  static func manifest(_ text: String, variables: [String: String] = [:]) throws -> Manifest {
    switch decode(text, variables: variables) {
    case .success(let manifest): return manifest
    case .failure(let error):
      throw Unexpected(description: error.diagnostics.map(\.description).joined(separator: "\n"))
    }
  }

  struct Unexpected: Error, CustomStringConvertible {
    let description: String
  }
}
