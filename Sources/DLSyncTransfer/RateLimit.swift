package import DLSyncModel

/// Placeholder shape: the transfer module fills it in.
package final class RateLimit: Sendable {
  package init(bytesPerSecond: ByteCount) {}
}
