import DLSyncModel
import Glibc
import Testing

@testable import DLSyncCLI

/// What a piece of code writes, caught in an unlinked temporary file.
func captured(_ body: (OutputChannel) throws -> Void) rethrows -> String {
  var template = Array("/tmp/dlsync-test-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  precondition(descriptor >= 0, "no temporary file: errno \(errno)")
  unlink(template)
  defer { close(descriptor) }
  let channel = OutputChannel(descriptor: descriptor)
  try body(channel)
  channel.flush()
  return contents(of: descriptor)
}

/// Everything that a file holds.
func contents(of descriptor: Int32) -> String {
  lseek(descriptor, 0, SEEK_SET)
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
  return String(decoding: bytes, as: UTF8.self)
}

/// The JSON that a piece of code writes.
func json(_ body: (JSONWriter) -> Void) -> String { captured { body(JSONWriter($0)) } }

/// The result of a whole command line: exit status and both streams.
func run(_ arguments: String..., environment: [String: String] = [:]) async -> (status: Int32, out: String, err: String)
{
  var templates = (Array("/tmp/dlsync-test-XXXXXX".utf8CString), Array("/tmp/dlsync-test-XXXXXX".utf8CString))
  let out = mkstemp(&templates.0)
  let err = mkstemp(&templates.1)
  unlink(templates.0)
  unlink(templates.1)
  defer {
    close(out)
    close(err)
  }
  let status = await CommandLineTool.run(arguments: arguments, environment: environment, output: out, error: err)
  return (status, contents(of: out), contents(of: err))
}

/// A file entry below `/srv`.
func entry(_ destination: String, url: String = "https://example.org/a", size: Int64? = nil) throws -> FileEntry {
  FileEntry(
    scope: Scope("demo"), url: try SourceURL(url), destination: try Destination(destination, root: "/srv"),
    size: size.map(ByteCount.init))
}

/// A plan of these files.
func plan(_ files: [FilePlan], orphans: [Orphan] = [], queues: [QueuePlan] = []) -> Plan {
  Plan(scope: Scope("demo"), source: "m.yaml", queues: queues, files: files, orphans: orphans)
}
