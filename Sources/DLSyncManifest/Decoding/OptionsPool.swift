import DLSyncModel

/// One object for all files with equal settings.
struct OptionsPool {
  private var objects: [FileSettings: FileOptions] = [:]
  private var last: FileOptions?

  /// The object with these settings.
  mutating func object(_ settings: FileSettings) -> FileOptions {
    if let last, last.settings == settings { return last }
    // Mirrors differ from file to file: to look for an equal object would only cost memory.
    let object = (settings.mirrors.isEmpty ? objects[settings] : nil) ?? FileOptions(settings)
    if settings.mirrors.isEmpty { objects[settings] = object }
    last = object
    return object
  }
}
