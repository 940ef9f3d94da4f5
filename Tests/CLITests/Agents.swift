import DLSyncTestSupport

/// Runs a body in a sandbox whose agent is gone afterwards.
func withSandbox(_ body: (Sandbox) throws -> Void) throws {
  let sandbox = try Sandbox()
  defer { _ = try? sandbox.run("agent", "stop") }
  try body(sandbox)
}

/// The process of a sandbox's agent; nil while none runs.
func agent(_ sandbox: Sandbox) throws -> Int32? {
  try sandbox.json("agent", "status").document["process"].integer.map { Int32($0) }
}

/// The states of a sandbox's tasks, by the names of their files.
func states(_ sandbox: Sandbox) throws -> [String: String] {
  let tasks = try sandbox.json("status").document["tasks"].array ?? []
  return Dictionary(
    uniqueKeysWithValues: tasks.map { task in
      (String((task["destination"].string ?? "").split(separator: "/").last ?? ""), task["state"].string ?? "")
    })
}
