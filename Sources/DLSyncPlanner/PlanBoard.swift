import DLSyncModel

/// The files that are planned, in the manifest's order, while copies are found among them.
struct PlanBoard {
  private(set) var files: [FilePlan] = []
  private var entries: NumberMap
  private var places: NumberMap

  init(entries count: Int) {
    entries = NumberMap(count: count)
    places = NumberMap(count: count)
    files.reserveCapacity(count)
  }

  mutating func add(_ entry: Int, _ file: FilePlan) {
    places[entry] = files.count
    entries[files.count] = entry
    files.append(file)
  }

  /// The entry of a planned file.
  func entry(of place: Int) -> Int? { entries[place] }

  /// The entry's place in the plan.
  func place(of entry: Int) -> Int? { places[entry] }

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
