package import DLSyncModel
package import DLSyncThreading
import Glibc

/// Looks at the destinations of a manifest. It opens no file that is not to be hashed and follows no link at the end of a
/// path. It changes nothing, but for the probe that `AliasFinder` tells of.
package struct Surveyor: Sendable {
  private let cancel: CancelToken?

  /// `cancel` ends the reading of files early: those that were not read whole get no digests.
  package init(cancel: CancelToken? = nil) { self.cancel = cancel }

  /// One observation for each entry, in their order; the file system of each and its free space; and the entries that the
  /// disk takes for one. Two threads, about a microsecond a file.
  package func survey(_ files: [FileEntry]) -> DiskSurvey {
    let places = SurveyedPlaces()
    // Each piece opens its folders anew; eight are enough for two threads to end together.
    let piece = min(max(files.count / 8, 4096), 65_536)
    var observations: [Observation] = []
    var devices = DeviceList()
    observations.reserveCapacity(files.count)
    ParallelMap.run(
      count: files.count, piece: piece, makeState: { Sight(places) },
      { sight, range in sight.look(at: files[range]) },
      collect: { piece in
        observations += piece.observations
        for device in piece.devices { devices.append(device) }
      })
    return DiskSurvey(
      observations: observations, freeSpace: places.freeSpace, devices: devices,
      aliases: AliasFinder(places: places).aliases(files))
  }

  /// The same for absolute paths of records, without a manifest.
  package func survey(recorded paths: [String]) -> [BytewiseText: Observation] {
    let places = SurveyedPlaces()
    let pieces = ParallelMap.run(count: paths.count, piece: 4096, makeState: { Sight(places) }) { sight, range in
      range.map { index in
        // A record that is no path at all names nothing that could be there.
        (try? Destination(paths[index], root: "/")).map { sight.look(at: $0).observation } ?? .absent
      }
    }
    return Dictionary(zip(paths.lazy.map { BytewiseText($0) }, pieces.joined())) { first, _ in first }
  }

  /// Reads the files of the requests once each, whatever the number of algorithms, and adds their digests to the survey.
  /// What is not a regular file, cannot be read, or changes while it is read gets none; the observation is brought up to
  /// date in any case. Two threads.
  package func hash(_ requests: [HashRequest], of files: [FileEntry], into survey: inout DiskSurvey) {
    let results = ParallelMap.run(
      count: requests.count, piece: 1, makeState: { [cancel] in FileReader(cancel: cancel) }
    ) { reader, range in
      let request = requests[range.lowerBound]
      return reader.read(files[request.entry].destination, request.algorithms)
    }
    for (request, result) in zip(requests, results) {
      survey.observations[request.entry] = result.observation
      survey.failures[request.entry] = result.failure
      if let digests = result.digests { survey.digests[request.entry, default: [:]].merge(digests) { $1 } }
    }
  }
}
