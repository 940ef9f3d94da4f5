internal import DLSyncModel

/// Where files live that have no destination of their own: below the state folder, each in a folder that follows from scope,
/// queue and URL alone.
enum ManagedPlace {
  /// `<state>/files/<first 2 digits>/<id>/<name>`.
  static func path(of url: SourceURL, scope: Scope, queue: QueueName, stateFolder: String) -> String {
    let id = TaskID(scope: scope, queue: queue, destination: Redaction.storable(url.text)).description
    return "\(stateFolder)/files/\(id.prefix(2))/\(id)/\(url.fileName ?? "index.html")"
  }
}
