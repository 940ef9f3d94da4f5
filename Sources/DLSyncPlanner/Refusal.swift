package import DLSyncModel

/// Why a file cannot be planned: one of the reasons of a conflict, and its words.
struct Refusal {
  let reason: PlanReason
  let error: DLSyncError

  init(_ reason: PlanReason, _ code: ErrorCode, _ message: String, hint: String? = nil, underlying: String? = nil) {
    self.reason = reason
    error = DLSyncError(code, message, hint: hint, .init(underlying: underlying))
  }
}

// Between entries, queues and manifests.
extension Refusal {
  /// Several entries of one manifest want one place. `places` are the words of `EntryPlaces`, here and below.
  static func samePlace(_ entry: FileEntry, _ places: String) -> Refusal {
    Refusal(
      .destinationConflict, .destinationConflict,
      "\"\(entry.destination)\" is the destination of more than one file: \(places)",
      hint: "give each file a destination of its own")
  }

  /// The disk takes two paths for one place.
  static func alias(_ entry: FileEntry, _ other: FileEntry, _ places: String) -> Refusal {
    Refusal(
      .destinationConflict, .destinationConflict,
      "\"\(entry.destination)\" and \"\(other.destination)\" are one place on this file system: \(places)",
      hint: "give each file a destination of its own")
  }

  /// One entry's destination would have to be a folder for another's.
  static func parent(_ entry: FileEntry, of child: FileEntry, _ places: String) -> Refusal {
    Refusal(
      .destinationConflict, .destinationConflict,
      "\"\(entry.destination)\" is to be a file and also the folder of \"\(child.destination)\": \(places)",
      hint: "a path cannot be both: rename one of them")
  }

  /// Another manifest has the place, or `path`, which is above or below it.
  static func claimed(_ entry: FileEntry, _ path: String, by scope: Scope) -> Refusal {
    let what =
      entry.destination.path.hasSameBytes(as: path)
      ? "belongs to another manifest" : "cannot be beside \"\(path)\", which belongs to another manifest"
    return Refusal(
      .destinationConflict, .destinationConflict, "\"\(entry.destination)\" \(what), \"\(scope)\"",
      hint: "choose another destination, or give it up there with `dlsync remove`")
  }

  /// One queue would fetch one URL with different wishes.
  static func twins(_ entry: FileEntry, _ other: FileEntry, _ places: String) -> Refusal {
    let difference = entry.options.hasSameHeaders(as: other.options) ? "checksums" : "headers"
    return Refusal(
      .duplicateTaskConflict, .duplicateTaskConflict,
      "\"\(entry.url)\" stands more than once in queue \"\(entry.queue)\" with different \(difference): "
        + places,
      hint: "make them equal, or put one of them into another queue")
  }

  /// The queue runs elsewhere with settings that may not change meanwhile.
  static func running(_ queue: QueueName, keys: [String], process: Int32) -> Refusal {
    Refusal(
      .configurationConflict, .configurationConflict,
      "queue \"\(queue)\" runs in process \(process) with other settings: \(keys.joined(separator: ", "))",
      hint: "wait until that process ends, or stop it, and apply again")
  }
}

extension DLSyncError {
  /// What is at an entry's destination makes it unusable; nil of a file and of nothing at all.
  package static func place(_ entry: FileEntry, _ observation: Observation) -> DLSyncError? {
    Refusal.place(entry, observation)?.error
  }
}

// Between an entry and the disk.
extension Refusal {
  /// What was seen makes the destination unusable, or is nothing that could be published over; nil for files and for
  /// nothing at all.
  static func place(_ entry: FileEntry, _ observation: Observation) -> Refusal? {
    if entry.hasNameOfPartialData {
      return Refusal(
        .destinationInvalid, .destinationInvalid,
        "\"\(entry.destination)\" has a name that dlsync gives to its own partial data",
        hint: "choose another destination")
    }
    switch observation {
    case .absent, .file: return nil
    default: return unusable("\"\(entry.destination)\"", observation)
    }
  }

  private static func unusable(_ path: String, _ observation: Observation) -> Refusal? {
    func invalid(_ message: String, hint: String?, underlying: String? = nil) -> Refusal {
      Refusal(.destinationInvalid, .destinationInvalid, message, hint: hint, underlying: underlying)
    }
    let elsewhere = "move it away, or choose another destination"
    switch observation {
    case .absent, .file: return nil
    case .symbolicLink:
      return Refusal(
        .destinationExists, .destinationExists, "\(path) is a symbolic link, and links are never written through",
        hint: "remove the link, or choose another destination")
    case .folder: return invalid("\(path) is a folder", hint: elsewhere)
    case .special(let kind): return invalid("\(path) is no regular file but a \(kind)", hint: elsewhere)
    case .parentIsNoFolder(let parent):
      return invalid("\"\(parent)\" is no folder, so \(path) cannot be below it", hint: elsewhere)
    case .leavesRoot(let link):
      return invalid(
        "the symbolic link \"\(link)\" leads out of the root, so \(path) would be elsewhere",
        hint: "write the place it leads to as an absolute destination, or remove the link")
    case .nameTooLong:
      return invalid("\(path) has a name that is longer than the file system allows", hint: "choose a shorter one")
    case .inaccessible(let why):
      return invalid(
        "\(path) cannot be looked at: \(why)", hint: "check owner and mode of the folders on the way", underlying: why)
    }
  }

  /// A file that dlsync does not own is in the way.
  static func unowned(_ entry: FileEntry, isUnreadable: Bool) -> Refusal {
    let why =
      isUnreadable
      ? "it cannot be read to compare its checksum"
      : entry.options.listMark != 0
        ? "its checksum stands in a list, which only a download reads"
        : entry.checksums.isEmpty ? "no checksum vouches for it" : "it does not have the declared checksum or size"
    return Refusal(
      .destinationExists, .destinationExists,
      "\"\(entry.destination)\" is there already, dlsync did not put it there, and \(why)",
      hint: isUnreadable
        ? "make it readable, or move it away"
        : "move it away, or say `onConflict: replace` or `keep`")
  }

  /// The published file is another one now.
  static func modified(_ entry: FileEntry, isUnreadable: Bool) -> Refusal {
    Refusal(
      .destinationModified, .destinationModified,
      isUnreadable
        ? "\"\(entry.destination)\" was touched since dlsync published it, and cannot be read to see whether it was changed"
        : "\"\(entry.destination)\" was changed since dlsync published it",
      hint: isUnreadable
        ? "make it readable, or move it away"
        : "move it away to have the original again, or say `onConflict: replace` or `keep`")
  }
}
