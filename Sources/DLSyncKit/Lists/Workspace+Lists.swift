internal import DLSyncDisk
internal import DLSyncManifest
public import DLSyncModel

extension Workspace {
  /// A manifest's text, made from the list of another tool; `-` is standard input. Contacts nothing, writes nothing. Errors of
  /// the list are `manifestInvalid`, with the line.
  public static func importList(
    _ path: String, _ format: ListFormat, baseURL: SourceURL? = nil
  ) throws(DLSyncError) -> ConvertedList {
    let bytes =
      path == "-" ? try FileText.readStandardInput(limit: listLimit) : try FileText.read(path, limit: listLimit)
    return try ListReading.manifest(bytes, format, source: path, base: baseURL)
  }

  /// The list of another tool, made from a manifest.
  public static func exportList(_ manifest: Manifest, _ format: ListFormat) -> ConvertedList {
    ListWriting.list(manifest, format)
  }

  private static let listLimit = 1 << 30
}
