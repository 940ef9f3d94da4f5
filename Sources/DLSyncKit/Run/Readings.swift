internal import DLSyncDisk
internal import DLSyncModel

/// Digests of files that were read to decide something, for whoever decides again: what is still the same file is not read
/// twice.
struct Readings: Sendable {
  private struct Reading {
    let observation: Observation
    let digests: [DigestAlgorithm: Digest]
  }

  private var readings: [TaskID: Reading] = [:]

  /// Adds to what is seen what is known of it, and answers what else must be read.
  func answer(_ questions: [HashRequest], _ files: [FileEntry], _ survey: inout DiskSurvey) -> [HashRequest] {
    guard !readings.isEmpty else { return questions }
    return questions.filter { question in
      guard let reading = readings[files[question.entry].id],
        reading.observation == survey.observations[question.entry],
        question.algorithms.allSatisfy({ reading.digests[$0] != nil })
      else { return true }
      survey.digests[question.entry] = reading.digests
      return false
    }
  }

  /// Keeps what was read. A file that could not be read has no digests, and is tried again.
  mutating func keep(_ survey: DiskSurvey, _ files: [FileEntry]) {
    for (entry, digests) in survey.digests {
      readings[files[entry].id] = Reading(observation: survey.observations[entry], digests: digests)
    }
  }
}
