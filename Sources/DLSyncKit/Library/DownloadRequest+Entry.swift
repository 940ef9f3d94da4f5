internal import DLSyncModel

extension DownloadRequest {
  /// The entry of a queue that the request comes to. Throws `usage` or `destinationInvalid`; contacts nothing, looks at no
  /// disk.
  func entry(of queue: QueueName, _ scope: Scope, stateFolder: String) throws(DLSyncError) -> FileEntry {
    guard (0...1).contains(priority) else {
      throw DLSyncError(.usage, "a priority is a number from 0 to 1, and \(priority) is none")
    }
    guard settings.refresh == .never else {
      throw DLSyncError(
        .usage, "a request of the library cannot be refreshed", hint: "remove the task and ask for the file again")
    }
    if let bits = settings.permissions, bits > 0o777 {
      throw DLSyncError(.usage, "permissions are bits up to 0777, and 0\(String(bits, radix: 8)) are none")
    }
    for header in settings.headers { try header.validate() }
    var settings = settings
    // The state folder's files are its owner's alone.
    if destination == nil, settings.permissions == nil { settings.permissions = 0o600 }
    return FileEntry(
      scope: scope, url: url, destination: try place(in: queue, scope, stateFolder), queue: queue,
      checksums: checksums, size: size, priority: priority, options: FileOptions(settings))
  }

  private func place(
    in queue: QueueName, _ scope: Scope, _ stateFolder: String
  ) throws(DLSyncError) -> Destination {
    guard var path = destination else {
      return try Self.absolute(ManagedPlace.path(of: url, scope: scope, queue: queue, stateFolder: stateFolder))
    }
    try Workspace.requireLocal(path)
    if path.endsInSlash {
      guard let name = url.fileName else {
        throw DLSyncError(
          .destinationInvalid, "the URL \"\(url.shown)\" gives no name for a file in \"\(path)\"",
          hint: "give the whole path")
      }
      path += name
    }
    return try Self.absolute(path)
  }

  private static func absolute(_ path: String) throws(DLSyncError) -> Destination {
    let whole = try WorkingFolder.absolute(path)
    do throws(Destination.Problem) { return try Destination(whole, root: "/") } catch {
      throw DLSyncError(.destinationInvalid, "\"\(path)\" is no path of a file", hint: "give another destination")
    }
  }
}

extension HeaderField {
  /// Throws `usage` for what is no field (RFC 9110, section 5.1 and 5.5), and for those that are the transfer's own.
  func validate() throws(DLSyncError) {
    guard HeaderText.isName(name) else { throw DLSyncError(.usage, "\"\(name)\" is no name of a header") }
    guard !HeaderText.reserved.contains(name.lowercased()) else {
      throw DLSyncError(.usage, "the header \"\(name)\" is dlsync's own and cannot be given")
    }
    guard HeaderText.isValue(value) else {
      throw DLSyncError(.usage, "the value of the header \"\(name)\" holds a line break or another control character")
    }
  }
}
