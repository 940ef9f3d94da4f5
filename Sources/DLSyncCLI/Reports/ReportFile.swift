import DLSyncSystem

/// A report's file: there whole or not at all.
enum ReportFile {
  /// Writes a file, in place of what has the name. Throws what the system says. A pipe's reader is waited for until
  /// `isStopped`.
  static func write(
    _ path: String, isStopped: () -> Bool = { false }, _ body: (OutputChannel) -> Void
  ) throws(SystemTrouble) {
    try AtomicFile.write(path, isStopped: isStopped) { (descriptor) throws(SystemTrouble) in
      let channel = OutputChannel(descriptor: descriptor)
      body(channel)
      channel.flush()
      if let trouble = channel.failure { throw trouble }
    }
  }
}
