internal import DLSyncDisk
internal import DLSyncModel
internal import DLSyncStore

extension Plan {
  /// Puts in order what a run left that was killed while it published: nothing but partial data bears the names of partial
  /// data afterwards, and none of it is left of files that are in place. Before anything of this plan is recorded, because
  /// that forgets what the killed run was about to do. Answers what people should know.
  func settleKilledPublications(_ store: Store) async throws(DLSyncError) -> [String] {
    let intents = try await store.intents()
    var notices: [String] = []
    if !intents.isEmpty {
      for file in files {
        guard let known = intents[file.entry.id] else { continue }
        let destination = file.entry.destination
        guard
          let path = try KeptFile.settle(
            file.entry.id, at: destination, intent: known.intent.identity, published: known.published?.identity)
        else { continue }
        notices.append(
          "a run was killed while it replaced \"\(destination)\"; the file that was there lies at \"\(path)\"")
      }
    }
    removeLeftovers(of: files.filter { $0.settles != nil }.map(\.entry))
    return notices
  }
}
