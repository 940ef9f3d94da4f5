/// What entries of one queue with the same settings share.
struct EntryShape: Sendable {
  let queue: QueueName
  let options: FileOptions
  /// How many bytes of the destination are the manifest's root; zero where it was written as a whole path.
  let rootLength: Int32
  /// What all their destinations begin with: the root and its slash, or nothing.
  let folder: [UInt8]

  init(queue: QueueName, options: FileOptions, rootLength: Int32, folder: [UInt8]) {
    self.queue = queue
    self.options = options
    self.rootLength = rootLength
    self.folder = folder
  }

  /// The shape of one entry.
  init(queue: QueueName, options: FileOptions, _ destination: Destination) {
    let rootLength = destination.rootByteCount
    // The root of all is its own slash.
    let length = rootLength > 1 ? rootLength + 1 : rootLength
    self.init(
      queue: queue, options: options, rootLength: Int32(rootLength), folder: Array(destination.path.utf8.prefix(length))
    )
  }

  /// Whether both are the same without a look into the settings.
  func isSame(as other: EntryShape) -> Bool {
    options === other.options && rootLength == other.rootLength && queue == other.queue && folder == other.folder
  }
}
