internal import DLSyncDisk
internal import DLSyncManifest
public import DLSyncModel
internal import DLSyncTransfer

extension Workspace {
  /// Every value that counts for a file, and where it comes from. The file is named by its destination as written below
  /// `root`, by the absolute one, or by its URL; several entries may want one place. Contacts nothing, writes nothing.
  public func explain(
    _ destination: String, in path: String, variables: [String: String]
  ) throws(ManifestLoadFailure) -> [Explanation] {
    let (manifest, lock) = try loadWithLock(path, variables: variables)
    let lockPath = Self.lockPath(of: path)
    let held = lock.map { manifest.held(to: $0, source: lockPath ?? "") } ?? manifest
    let wanted = zip(manifest.files, held.files).filter { $0.0.isNamed(destination) }.map(\.1)
    let (context, bytes) = try read(path, variables: variables)
    var explanations: [Explanation]
    do throws(ManifestError) {
      explanations = try ManifestDecoder(context: context).explain(
        bytes, where: { $0.isNamed(destination) }, lock: lockPath, held: wanted)
    } catch {
      throw .invalid(error)
    }
    for index in explanations.indices { addEnvironment(to: &explanations[index]) }
    return explanations
  }

  /// The proxy of the environment, where the queue names none.
  private func addEnvironment(to explanation: inout Explanation) {
    guard let index = explanation.values.firstIndex(where: { $0.key == "queue.network.proxy" }),
      explanation.values[index].origin == .builtIn,
      let proxy = ProxyChoice.ofEnvironment(for: explanation.entry.url, environment)
    else { return }
    explanation.values[index] = ExplainedValue(
      "queue.network.proxy", proxy.shown, .environment, name: proxy.variable)
  }
}

extension FileEntry {
  fileprivate func isNamed(_ text: String) -> Bool {
    let destination = destination
    return [destination.relativePath, destination.path, url.text, url.redacted].contains {
      $0.utf8.elementsEqual(text.utf8)
    }
  }
}
