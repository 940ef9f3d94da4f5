import DLSyncKit
import DLSyncModel

/// `dlsync verify`: every file that should be there, hashed and compared.
enum VerifyCommand {
  static let guide = CommandGuide(
    arguments: .some("MANIFEST"), summary: "hash every file that should be there",
    example: "dlsync verify manifest.yaml",
    explanation: [
      "Reads every file of the manifest that should be there and compares its digest with the declared checksum or"
        + " the recorded fingerprint. Changes nothing.",
      "Exit status: 0 every file is intact, 1 any is missing, differs or cannot be vouched for.",
    ])

  static func run(_ context: CommandContext) async -> Int32 {
    let workspace: Workspace
    do {
      workspace = try context.workspace()
    } catch {
      return context.fail(error)
    }
    switch LoadedManifests.load(context, workspace) {
    case .failure(let refusal): return refusal.status
    case .success(let manifests): return await verify(manifests, workspace, context)
    }
  }

  private static func verify(_ manifests: [Manifest], _ workspace: Workspace, _ context: CommandContext) async -> Int32
  {
    let envelope = DocumentEnvelope(context, count: manifests.count)
    var statuses: [Int32] = []
    var sum = Verification.Summary()
    for manifest in manifests {
      do {
        let verification = Verification(try await workspace.verify(manifest, context.settings.planOptions))
        if context.settings.format == .text {
          VerificationText(context, isOneOfMany: manifests.count > 1).write(verification, manifest, to: context.people)
        }
        envelope.add { VerificationDocument(manifest: manifest, verification: verification).write(to: $0) }
        sum = sum + verification.summary
        statuses.append(verification.exitStatus)
      } catch {
        context.report(error)
        envelope.add { FailureDocument(command: .verify, manifest: manifest.source, error: error).write(to: $0) }
        statuses.append(error.code.exitStatus)
      }
    }
    let status = ExitStatus.worst(statuses)
    envelope.close(exitStatus: status) { VerificationDocument.write(sum, to: $0) }
    return status
  }
}
