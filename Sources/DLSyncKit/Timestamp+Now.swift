public import DLSyncModel
internal import DLSyncSystem

extension Timestamp {
  /// The wall clock.
  public static var now: Timestamp { Timestamp(nanoseconds: WallClock.nanoseconds) }
}
