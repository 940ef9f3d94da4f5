import DLSyncModel

/// The files that are planned, in the manifest's order, while copies are found among them.
struct PlanBoard {
  private(set) var files: [FilePlan] = []
  /// The entry of each planned file.
  private(set) var entries: [Int32] = []
  /// The place of each entry in the plan; -1 where it is not planned.
  private var places: [Int32]

  init(entries count: Int) {
    places = Array(repeating: -1, count: count)
    files.reserveCapacity(count)
    entries.reserveCapacity(count)
  }

  mutating func add(_ entry: Int, _ file: FilePlan) {
    places[entry] = Int32(files.count)
    files.append(file)
    entries.append(Int32(entry))
  }

  /// The entry's place in the plan.
  func place(of entry: Int) -> Int? { places[entry] < 0 ? nil : Int(places[entry]) }

  /// Whether the file's bytes are still to come, so that a copy would do as well as the server.
  func isOpen(_ place: Int) -> Bool {
    files[place].action == .download && files[place].reason != .stale && !files[place].isHeld
      && files[place].copyOf == nil
      && files[place].copyFrom == nil
  }

  /// Has a file copied. A replacement that was asked for stays one in name: nobody overlooks it among what is reused.
  mutating func copy(_ place: Int, _ copy: Copy) {
    let file = files[place]
    let isReplacement = file.reason == .replace
    files[place] = FilePlan(
      entry: file.entry, action: isReplacement ? .download : .reuse, reason: isReplacement ? .replace : .copied,
      bytes: isReplacement ? file.bytes : nil, basis: file.basis, copyOf: copy.file, copyFrom: copy.source)
  }
}

/// Where a file's bytes can be copied from.
struct Copy {
  /// A file of the plan, by its place.
  var file: Int?
  /// A finished file outside of it.
  var source: CopySource?
}
