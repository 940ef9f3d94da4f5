import DLSyncTestSupport
import Glibc
import Testing

/// Texts of a manifest reach the desktop, or standard error where there is none.
@Suite struct NotificationTests {
  /// A `notify-send` of our own that notes its arguments, one a line, and a session bus by name.
  private func desktop(_ sandbox: Sandbox) throws -> [String: String] {
    let script = try sandbox.folder.write(
      "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done >> '\(sandbox.folder("said"))'\n", to: "bin/notify-send")
    chmod(script, 0o755)
    return ["PATH": "\(sandbox.folder("bin")):/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
  }

  private func said(_ sandbox: Sandbox) -> [String] {
    for _ in 0..<100 where !sandbox.folder.holds("said") { usleep(50_000) }
    usleep(200_000)
    return String(decoding: sandbox.folder.read("said") ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["{}", "{ mode: background }"])
  func theDesktopIsToldOnceAndNothingOfItIsACommand(queue: String) throws {
    let sandbox = try Sandbox()
    defer { _ = try? sandbox.run("agent", "stop") }
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(
      files: [("/a", "a")], queue: queue, each: ["notify: { success: \"<b>$(touch pwned)</b> & more\" }"])
    let environment = try desktop(sandbox)
    let result = try sandbox.run("apply", manifest, environment: environment)
    #expect(result.status == 0 && !result.errors.contains("more"), "\(result)")
    #expect(try sandbox.run("wait", "--all").status == 0)
    #expect(
      said(sandbox) == ["--app-name=dlsync", "--", "dlsync", "&lt;b&gt;$(touch pwned)&lt;/b&gt; &amp; more"])
    #expect(!sandbox.folder.holds("work/pwned"))
  }

  @Test func thatAllIsWellIsToldOnceTheAgentIsDoneToo() throws {
    let sandbox = try Sandbox()
    defer { _ = try? sandbox.run("agent", "stop") }
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(
      """
      version: 1
      notify: { success: all is well, failure: something is not }
      queues: { agents: { mode: background } }
      files:
        - { url: "\(sandbox.origin.url("/a"))", destination: a }
        - { url: "\(sandbox.origin.url("/gone"))", destination: b, queue: agents }

      """)
    let environment = try desktop(sandbox)
    #expect(try sandbox.run("apply", manifest, environment: environment).status == 0)
    #expect(try sandbox.run("wait", "--all").status == 1)
    #expect(said(sandbox).last == "something is not" && !said(sandbox).contains("all is well"))
  }

  /// Whoever waits for the agent tells the end, and runs the command for it.
  @Test func aCommandThatWaitsTellsTheEndItself() throws {
    let sandbox = try Sandbox()
    defer { _ = try? sandbox.run("agent", "stop") }
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    sandbox.origin.serve("/b", .silence)
    let script = try sandbox.folder.write(
      "#!/bin/sh\necho done >> '\(sandbox.folder("hooks"))'\n", to: "bin/hook")
    chmod(script, 0o755)
    func manifest(_ name: String) throws -> String {
      try sandbox.manifest(
        """
        version: 1
        name: \(name)
        root: out
        notify: { success: all is well }
        queues: { agents: { mode: background } }
        defaults: { queue: agents }
        files: [{ url: "\(sandbox.origin.url("/\(name)"))", destination: \(name), notify: { success: "file \(name)" } }]

        """, name: "\(name).yaml")
    }
    let environment = try desktop(sandbox)
    let hook = ["--on-complete", script]
    let waited = try sandbox.run("apply", try manifest("a"), "--wait", hook[0], hook[1], environment: environment)
    #expect(waited.status == 0, "\(waited)")
    #expect(sandbox.folder.read("hooks") == Array("done\n".utf8), "at the end of the command")
    // The waiting ends before the work: then the agent tells.
    let other = try manifest("b")
    let early = try sandbox.run(
      "apply", other, "--wait", hook[0], hook[1], "--max-duration", "100ms", environment: environment)
    #expect(early.status == 0, "\(early)")
    #expect(try sandbox.run("agent", "stop").status == 0)
    sandbox.origin.serve("/b", .file([1]))
    #expect(try sandbox.run("agent", "start", environment: environment).status == 0)
    #expect(until { sandbox.folder.read("hooks").map { $0.count } == 10 })
    #expect(until { said(sandbox).count { $0 == "all is well" } == 2 }, "\(said(sandbox))")
    for text in ["file a", "file b"] { #expect(said(sandbox).count { $0 == text } == 1, "\(said(sandbox))") }
    #expect(sandbox.folder.read("hooks") == Array("done\ndone\n".utf8))
  }

  @Test func withoutADesktopTheTextIsALine() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: ["notify: { success: all is well }"])
    #expect(try sandbox.run("apply", manifest).errors.contains("all is well\n"))
    #expect(try !sandbox.run("apply", manifest).errors.contains("all is well"), "nothing came")
  }
}
