package import DLSyncModel

extension Store {
  /// Notes that a run began to work; what its tasks come to is told as part of it from now on. Not flushed by itself: a loss
  /// of power may cost the line.
  package func logBeginning(of scope: Scope, now: Timestamp) throws(DLSyncError) {
    run = try writing(isDurable: false) { (connection) throws(StoreFailure) in
      try FingerprintIndex(connection: connection).file()
      let table = LogTable(connection: connection)
      try table.trim(now: now)
      return try table.write(LogLine(at: now, kind: .runBegun, scope: scope))
    }
  }

  /// Notes how the run ended whose beginning was noted. Where none was, both are noted if there is a moment for the
  /// beginning, and else nothing. Not flushed by itself either.
  package func logEnd(_ line: LogLine, begun: Timestamp? = nil) throws(DLSyncError) {
    if run == nil, let begun { try logBeginning(of: line.scope, now: begun) }
    guard let run else { return }
    self.run = nil
    try writing(isDurable: false) { (connection) throws(StoreFailure) in
      var line = line
      line.run = run
      let table = LogTable(connection: connection)
      try table.write(line)
      try table.trim(now: line.at)
      try FingerprintIndex(connection: connection).file()
    }
  }

  /// Lines behind a number (zero: all) and not before a moment, oldest first.
  package func log(after number: Int64, since: Timestamp?) throws(DLSyncError) -> [LogLine] {
    try reading { (connection) throws(StoreFailure) in
      try LogTable(connection: connection).lines(after: number, since: since)
    }
  }
}
