internal import DLSyncModel
internal import DLSyncTransfer

extension ResponseFacts {
  /// When the server says that the resource last changed. Nil where it does not say, where it is no date, and where it is
  /// one that no file of this machine can bear: before 1970, or further than 2262.
  var modified: Timestamp? {
    guard let field = headers.first(where: { $0.name.lowercased() == "last-modified" }),
      let seconds = HTTPDate.seconds(field.value), (0...Int64.max / 1_000_000_000 - 1).contains(seconds)
    else { return nil }
    return Timestamp(seconds: seconds)
  }
}
