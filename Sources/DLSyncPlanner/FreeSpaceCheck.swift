import DLSyncModel

/// Adds up what is to be fetched to each file system, and says where it cannot fit.
struct FreeSpaceCheck {
  private struct Need {
    var bytes = ByteCount.zero
    let folder: String
  }

  private var needs: [UInt64: Need] = [:]
  private let survey: DiskSurvey

  init(_ board: PlanBoard, _ survey: DiskSurvey) {
    self.survey = survey
    guard !survey.freeSpace.isEmpty else { return }
    for place in board.files.indices where board.isOpen(place) {
      guard let bytes = board.files[place].bytes, let entry = board.entry(of: place) else { continue }
      add(bytes, to: board.files[place].entry.destination, entry: entry)
    }
  }

  private mutating func add(_ bytes: ByteCount, to destination: Destination, entry: Int) {
    guard let device = device(of: entry) else { return }
    let sum = needs[device]?.bytes.adding(bytes) ?? bytes
    needs[device, default: Need(folder: destination.folder)].bytes = sum
  }

  /// One sentence for each file system that is too small, in the order of their numbers.
  var warnings: [String] {
    needs.sorted { $0.key < $1.key }.compactMap { device, need in
      guard let free = survey.freeSpace[device], need.bytes > free else { return nil }
      return "\(need.bytes) are to be fetched to the file system of \"\(need.folder)\", "
        + "where only \(free) of space are free"
    }
  }

  private func device(of entry: Int) -> UInt64? {
    if entry < survey.devices.count { return survey.devices[entry] }
    if case .file(let identity) = survey.observations[entry] { return identity.device }
    return survey.freeSpace.count == 1 ? survey.freeSpace.first?.key : nil
  }
}
