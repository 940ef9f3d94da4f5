import DLSyncTestSupport
import DLSyncThreading
import Glibc
import Testing

/// `network.allowMetered: false`, with a NetworkManager of our own.
@Suite(.enabled(if: SystemBus.isInstalled, "dbus-daemon is not installed (scripts/setup test)"))
struct MeteredNetworkTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func start(_ bus: SystemBus, _ arguments: String...) throws -> ChildProcess {
    var launch = sandbox.runner.launch(arguments)
    launch.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    return try ChildProcess(launch)
  }

  private func run(_ address: String, _ arguments: String...) throws -> ProcessResult {
    var launch = sandbox.runner.launch(arguments)
    launch.environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
    return try sandbox.runner.run(launch)
  }

  /// Whether a recorded task comes to be so.
  private func comes(_ condition: (JSONValue) -> Bool) throws -> Bool {
    let end = MonotonicInstant.now.advanced(by: 20_000_000_000)
    while MonotonicInstant.now < end {
      if condition(try sandbox.json("status").document["tasks"][0]) { return true }
      usleep(50_000)
    }
    return false
  }

  private func waitsForTheNetwork(_ task: JSONValue) -> Bool {
    task["state"].string == "waiting" && task["error"]["code"].string == "networkNotAllowed"
  }

  @Test(arguments: [1, 3]) func filesWaitWhileTheNetworkIsMetered(metered: Int) throws {
    let bus = try SystemBus(metered: metered)
    sandbox.origin.serve("/a", .file(payload(count: 1000)))
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], queue: "{ network: { allowMetered: false } }")
    let process = try start(bus, "apply", manifest)
    #expect(try comes(waitsForTheNetwork))
    #expect(process.errorsSoFar.contains("the network is metered"), "\(process.errorsSoFar)")
    #expect(sandbox.origin.connectionCount == 0)
    try bus.say(2)
    let result = process.wait(.seconds(20))
    #expect(result.status == 0 && sandbox.published("a") == payload(count: 1000), "\(result)")
    #expect(try comes { $0["state"].string == "completed" && $0["error"].isNull })
  }

  @Test func queuesThatDoNotMindGoOn() throws {
    let bus = try SystemBus(metered: 1)
    for name in ["/a", "/b"] { sandbox.origin.serve(name, .file(payload(count: 1000))) }
    let manifest = try sandbox.manifest(
      """
      version: 1
      root: out
      queues: { frugal: { network: { allowMetered: false } } }
      files:
        - { url: '\(sandbox.origin.url("/a"))', destination: a, queue: frugal }
        - { url: '\(sandbox.origin.url("/b"))', destination: b }
      """)
    let process = try start(bus, "apply", manifest)
    #expect(sandbox.origin.wait { !$0.requests("/b").isEmpty })
    #expect(try comes(waitsForTheNetwork))
    #expect(sandbox.published("b") != nil && sandbox.origin.requests("/a").isEmpty)
    process.send(SIGTERM)
    #expect(process.wait(.seconds(10)).status == 143)
  }

  @Test func runningFileStopsAndGoesOnFromItsChunks() throws {
    let bus = try SystemBus(metered: 2)
    let bytes = payload(count: 4_000_000)
    sandbox.origin.serve("/a", .file(bytes).paced(bytesPerSecond: 500_000))
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], queue: "{ chunkSize: 64KiB, network: { allowMetered: false } }")
    let process = try start(bus, "apply", manifest)
    #expect(sandbox.origin.wait { $0.bodyBytesSent > 800_000 })
    try bus.say(3)
    #expect(try comes(waitsForTheNetwork))
    #expect(sandbox.origin.liveRequests == 0 && process.isRunning)
    sandbox.origin.serve("/a", .file(bytes))
    try bus.say(4)
    let result = process.wait(.seconds(20))
    #expect(result.status == 0 && sandbox.published("a") == bytes, "\(result)")
    #expect(sandbox.origin.requests("/a").last?.header("Range") != nil)
  }

  @Test func networkThatNothingIsKnownOfIsUsed() throws {
    let bus = try SystemBus(metered: 0)
    for (name, address) in [("a", bus.address), ("b", "unix:path=/nowhere/bus")] {
      sandbox.origin.serve("/" + name, .file(payload(count: 1000)))
      let manifest = try sandbox.manifest(
        files: [("/" + name, name)], queue: "{ network: { allowMetered: false } }",
        name: name + ".yaml")
      let result = try run(address, "apply", manifest)
      #expect(result.status == 0 && !result.errors.contains("metered"), "\(result)")
    }
  }

  @Test func doctorTellsWhatIsKnown() throws {
    let bus = try SystemBus(metered: 1)
    for (value, text) in [
      (1, "the network is metered"), (4, "is not metered"), (0, "counts as unmetered"),
    ] {
      try bus.say(value)
      let result = try run(bus.address, "doctor")
      #expect(result.output.contains(text), "\(result)")
    }
  }

  @Test func otherProgramIsAskedWhereThereIsNoBusctl() throws {
    let bus = try SystemBus(metered: 1)
    let tools = try sandbox.folder.makeFolder("tools")
    symlink("/usr/bin/dbus-send", tools + "/dbus-send")
    var launch = sandbox.runner.launch(["doctor"])
    launch.environment["PATH"] = tools
    launch.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    let result = try sandbox.runner.run(launch)
    #expect(result.output.contains("the network is metered"), "\(result)")
  }
}
