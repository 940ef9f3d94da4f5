package import DLSyncModel

/// A queue that the agent has something to do in.
package struct BackgroundQueue: Sendable {
  package let scope: Scope
  /// With the proxy's URL, which the settings do not hold.
  package let declaration: QueueDeclaration
  /// Changes when there is more to do than there was.
  package let handed: Int64
  /// The command to be run when all of it has ended.
  package let hook: String?
}
