/// A world for one black-box test: a home, a working folder, an origin, and the binary. Everything is gone with it.
///
///     let sandbox = try Sandbox()
///     sandbox.origin.serve("/a.bin", .file(bytes))
///     let manifest = try sandbox.manifest(files: [("/a.bin", "a.bin")])
///     let result = try sandbox.run("apply", manifest)
package final class Sandbox: Sendable {
  /// The folder that holds all the others.
  package let folder: TemporaryFolder
  package let origin: Origin
  package let runner: BinaryRunner

  package init() throws {
    folder = try TemporaryFolder("cli")
    origin = try Origin()
    let home = try folder.makeFolder("home")
    let work = try folder.makeFolder("work")
    runner = try BinaryRunner(home: home, workingFolder: work)
  }

  /// The working folder of every run.
  package var work: String { folder("work") }
  /// Where the manifests of `manifest(files:)` put their files.
  package var out: String { folder("work/out") }

  /// The bytes of a published file.
  package func published(_ name: String) -> [UInt8]? { folder.read("work/out/\(name)") }

  /// Everything below the working folder that is neither a manifest nor published: partial data.
  package var leftovers: [String] { folder.files(below: "work").filter { $0.contains("/.dlsync-") } }

  /// Writes a manifest as it is; gives its path.
  @discardableResult
  package func manifest(_ text: String, name: String = "manifest.yaml") throws -> String {
    try folder.write(text, to: "work/\(name)")
  }

  /// A manifest of plain entries, each a path of the origin and a destination below `out`, with further lines.
  @discardableResult
  package func manifest(
    files: [(path: String, destination: String)], queue: String = "{}", each: [String] = [],
    name: String = "manifest.yaml"
  ) throws -> String {
    var lines = ["version: 1", "root: out", "queues:", "  default: \(queue)", "files:"]
    for file in files {
      lines += ["  - url: \"\(origin.url(file.path))\"", "    destination: \"\(file.destination)\""]
      lines += each.map { "    \($0)" }
    }
    return try manifest(lines.joined(separator: "\n") + "\n", name: name)
  }

  /// Runs a script of sh(1) in which `$0` is the binary.
  package func shell(_ script: String, _ arguments: String...) throws -> ProcessResult {
    var launch = runner.launch([])
    launch.executable = "/bin/sh"
    launch.arguments = ["-c", script, runner.binary] + arguments
    return try runner.run(launch)
  }

  /// What `sha256sum` says of these bytes.
  package func sha256(_ bytes: [UInt8]) throws -> String {
    let path = try folder.write(bytes, to: "sum")
    return String(try ChildProcess(Launch("/usr/bin/sha256sum", [path])).wait().output.prefix(64))
  }

  /// Runs the binary to its end.
  package func run(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:], limit: Duration = .seconds(60)
  ) throws -> ProcessResult {
    var launch = runner.launch(arguments, input: input)
    launch.environment.merge(environment) { $1 }
    return try runner.run(launch, limit: limit)
  }

  /// Runs it with `--format json` and reads the one document on standard output.
  package func json(_ arguments: String..., input: String? = nil) throws -> (result: ProcessResult, document: JSONValue)
  {
    let result = try runner.run(runner.launch(arguments + ["--format", "json"], input: input))
    do {
      return (result, try JSONValue(result.output))
    } catch {
      throw SupportError("standard output is no JSON document: \(error)\n\(result)")
    }
  }
}

extension ProcessResult {
  /// The events of `--format ndjson`, in their order.
  package func events() throws -> [JSONValue] {
    try output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { try JSONValue(String($0)) }
  }
}
