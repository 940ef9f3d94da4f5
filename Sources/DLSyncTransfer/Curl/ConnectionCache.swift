/// The connections that are kept for later requests, of one process.
package enum ConnectionCache {
  /// A cache that is smaller than the number of running transfers loses connections; a larger one only holds descriptors, of
  /// which `openFiles` may be open.
  package static func size(openFiles: Int) -> Int { min(256, max(8, openFiles / 4)) }
}
