import DLSyncKit

/// Of "The manifest".
enum ManifestSnippets {
  static func load(_ stateFolder: String, _ environment: [String: String]) throws -> Manifest {
    let workspace = Workspace(stateFolder: stateFolder, environment: environment)
    let manifest = try Manifest.load("manifest.yaml", variables: ["release": "1.4.0"], in: workspace)
    return manifest
  }

  static func plan(_ manifest: Manifest, _ workspace: Workspace) async throws -> Plan {
    let plan = try await Planner(workspace).plan(manifest)
    for file in plan.files where file.action == .conflict { print(file.entry.destination, file.reason) }
    print("\(plan.summary.download) files to fetch, \(plan.summary.downloadBytes)")
    return plan
  }

  static func execute(_ plan: Plan, of manifest: Manifest, _ workspace: Workspace) async -> Report {
    let executor = Executor(workspace)
    let report = await executor.execute(plan, of: manifest)
    print("\(report.summary.downloaded) downloaded, \(report.summary.failed) failed")
    return report
  }

  static func execute(_ manifest: Manifest, _ workspace: Workspace) async -> Report {
    let executor = Executor(workspace)
    let report = await executor.execute(manifest)
    print("\(report.summary.downloaded) downloaded, \(report.summary.failed) failed")
    return report
  }

  struct Failures: RunObserver {
    func receive(_ events: [Event]) {
      for case .ended(let outcome) in events where outcome.state == .failed {
        print("file \(outcome.file) failed: \(outcome.error?.message ?? "")")
      }
    }
  }
}

extension Workspace {
  /// Of its own doc comment.
  static func example(_ environment: [String: String]) async throws -> Plan {
    let workspace = Workspace(stateFolder: "/var/lib/mirror", environment: environment)
    let manifest = try workspace.load("manifest.yaml", variables: [:])
    let plan = try await workspace.plan(manifest, PlanOptions())
    return plan
  }
}
