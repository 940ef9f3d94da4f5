import DLSyncModel

/// One object for all files with equal settings.
struct OptionsPool {
  private struct Key: Hashable {
    let headers: [HeaderField]
    let permissions: UInt16?
    let onConflict: ConflictPolicy
  }

  private var objects: [Key: FileOptions] = [:]
  private var last: (key: Key, object: FileOptions)?

  /// The object with these settings.
  mutating func object(headers: [HeaderField], permissions: UInt16?, onConflict: ConflictPolicy) -> FileOptions {
    let key = Key(headers: headers, permissions: permissions, onConflict: onConflict)
    if let last, last.key == key { return last.object }
    let object =
      objects[key] ?? FileOptions(headers: headers, permissions: permissions, onConflict: onConflict)
    objects[key] = object
    last = (key, object)
    return object
  }
}
