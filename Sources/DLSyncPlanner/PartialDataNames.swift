import DLSyncModel

extension FileEntry {
  private static let beginning = Array(".dlsync-".utf8)
  private static let probe = Array("probe-".utf8)

  /// Whether the destination has a name of those that dlsync gives to files beside destinations and takes away again:
  /// `.dlsync-TASKID.…` and `.dlsync-probe-…`. What was published there would be taken for partial data.
  var hasNameOfPartialData: Bool {
    var isOne = false
    lendPath { path in
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return }
      let name = path[(slash + 1)...]
      guard name.starts(with: Self.beginning) else { return }
      let rest = name.dropFirst(Self.beginning.count)
      isOne = rest.starts(with: Self.probe)
      guard !isOne, let dot = rest.firstIndex(of: UInt8(ascii: ".")) else { return }
      isOne = TaskID(String(decoding: rest[..<dot], as: UTF8.self)) != nil
    }
    return isOne
  }
}
