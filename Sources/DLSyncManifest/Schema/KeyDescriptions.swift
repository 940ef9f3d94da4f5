/// One sentence for each key, for editors that show them. A test holds them against the tables.
enum KeyDescriptions {
  static let all: [String: String] = [
    "manifest.version": "The version of the manifest's language: 1.",
    "manifest.name": "The manifest's identity; else it is known by its canonical path.",
    "manifest.vars": "Values for ${NAME}; --var NAME=VALUE overrides.",
    "manifest.baseURL": "Relative URLs begin here.",
    "manifest.root": "Relative destinations lie below it; relative to the manifest's folder.",
    "manifest.defaults": "What every file inherits.",
    "manifest.queues": "How files travel, by name; `default` always exists.",
    "manifest.notify": "Texts for the end of the whole run.",
    "manifest.files": "The files that should exist.",
    "manifest.filesFrom": "External lists of files.",
    "list.path": "The list, relative to the manifest's folder.",
    "list.format": "The list's format; else its suffix tells.",
    "checksum.algorithm": "The digest's algorithm.",
    "checksum.value": "The digest in hexadecimal.",
    "checksum.from": "A published list of checksums: a URL or a path.",
    "checksum.name": "The file's name in that list.",
    "notify.success": "Said when all went well.",
    "notify.failure": "Said when something failed.",
    "queue.mode": "Whether transfers live in the command or in the agent.",
    "queue.concurrency": "Files at once.",
    "queue.connectionsPerFile": "Parallel Range requests for one file.",
    "queue.connectionsPerHost": "Connections to one host, over the queue.",
    "queue.chunkSize": "The unit that is confirmed and resumed: 64KiB to 16MiB.",
    "queue.rate": "Average payload rate of the whole queue in bytes a second; unlimited or 0 for none.",
    "queue.timeouts": "How long things may take.",
    "queue.retry": "When a failed attempt is tried again.",
    "queue.progressInterval": "How often progress is reported: 100ms to 10s.",
    "queue.network": "Which network, by which way.",
    "queue.tls": "Whom to trust.",
    "timeouts.connect": "Name look-up, connect and TLS.",
    "timeouts.request": "No byte received for so long fails the attempt.",
    "timeouts.resource": "Active time that one file may take, attempts and waits together.",
    "retry.maxAttempts": "Attempts a file, the first included.",
    "retry.baseDelay": "The first delay's upper end; it doubles with each attempt.",
    "retry.maxDelay": "No delay is longer, unless the server asks for it.",
    "retry.statusCodes": "Statuses that are tried again.",
    "network.allowMetered": "False waits while the connection is metered.",
    "network.interface": "The name of a network interface.",
    "network.ipVersion": "Only addresses of this version.",
    "network.proxy": "A proxy URL, or none.",
    "tls.caFile": "A file of trusted certificates instead of the system's.",
    "tls.clientCertificate": "The client's certificate.",
    "tls.clientKey": "The client's key.",
    "tls.minVersion": "The lowest version that is spoken.",
  ].merging(ofFiles) { own, _ in own }

  private static let fileTexts = [
    "url": "Where the file comes from: http or https.",
    "destination": "Where it should be; a slash at the end takes the name from the URL.",
    "managed": "The file lives in dlsync's own store.",
    "queue": "The queue that it travels through.",
    "mirrors": "Other URLs of the same bytes, tried in order.",
    "checksum": "What the bytes must be: ALGORITHM:HEX, bare hexadecimal, sha256-BASE64, or a published list.",
    "size": "The length in bytes, or with a unit.",
    "priority": "0 to 1; higher goes first.",
    "headers": "Request headers; they go to the URL's own origin alone.",
    "permissions": "The mode in octal, in quotes.",
    "onConflict": "What to do with a file that dlsync does not own or that was changed since.",
    "refresh": "When a finished file is checked with the server again.",
    "contentEncoding": "What to do with a response that is encoded though identity was asked for.",
    "modified": "The finished file's modification time.",
    "notify": "Texts for the notification at the file's end.",
    "tags": "Words that --tag selects by.",
    "matrix": "One entry for each combination of these values, usable as ${NAME}.",
  ]

  /// The keys of files, and of what files inherit from.
  private static var ofFiles: [String: String] {
    var texts: [String: String] = [:]
    for (key, text) in fileTexts {
      for table in ["file", "defaults", "list"] { texts["\(table).\(key)"] = text }
    }
    return texts
  }
}
