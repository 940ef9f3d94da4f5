import DLSyncTestSupport
import Testing

@Suite struct SmallCommandTests {
  @Test func initWritesAGoodManifestAndNeverOverwrites() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("init").status == 0)
    #expect(try sandbox.run("check", "manifest.yaml").status == 0)
    let text = sandbox.folder.read("work/manifest.yaml")
    let again = try sandbox.run("init")
    #expect(again.status == 3 && again.errors.contains("manifest.yaml"), "\(again)")
    #expect(sandbox.folder.read("work/manifest.yaml") == text)
    let (result, document) = try sandbox.json("init", "other.yaml")
    #expect(result.status == 0 && document["manifest"].string == "other.yaml")
    let printed = try sandbox.run("init", "-")
    #expect(printed.status == 0 && Array(printed.output.utf8) == text, "\(printed)")
    #expect(try sandbox.json("init", "-").document["text"].string == printed.output)
    #expect(!sandbox.folder.holds("work/-"))
  }

  /// No shell replaces `~` behind `=`, and a folder of that name is a trap.
  @Test(arguments: ["--state=~/s", "--cache=~/c", "--report=~/r.json", "DLSYNC_STATE=~/s", "DLSYNC_CACHE=~/c"])
  func noFolderIsNamedLikeTheHomeFolder(setting: String) throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.folder.write("version: 1\nfiles: []\n", to: "work/m.yaml")
    let isOption = setting.hasPrefix("-")
    var launch = sandbox.runner.launch(["apply", manifest] + (isOption ? [setting] : []))
    let pair = setting.split(separator: "=").map(String.init)
    if !isOption { launch.environment[pair[0]] = pair[1] }
    let result = try sandbox.runner.run(launch)
    #expect(result.status == 2 && result.errors.contains("does not stand for the home folder"), "\(result)")
    #expect(!sandbox.folder.holds("work/~"))
  }

  @Test func statePathFollowsItsPrecedence() throws {
    let sandbox = try Sandbox()
    func path(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
      var launch = sandbox.runner.launch(["state", "path"] + arguments)
      launch.environment.merge(environment) { $1 }
      return try sandbox.runner.run(launch).output
    }
    let xdg = ["XDG_STATE_HOME": "/x"]
    #expect(try path("--state", "/o", environment: xdg.merging(["DLSYNC_STATE": "/d"]) { $1 }) == "/o\n")
    #expect(try path(environment: xdg.merging(["DLSYNC_STATE": "/d"]) { $1 }) == "/d\n")
    #expect(try path(environment: xdg) == "/x/dlsync\n")
    #expect(try path() == sandbox.folder("home/.local/state/dlsync") + "\n")
    #expect(try sandbox.run("state").status == 2)
    #expect(try sandbox.run("state", "nowhere").status == 2)
  }

  /// As in a chroot.
  @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount")) func theCommandLineNeedsNoProc() throws {
    let sandbox = try Sandbox()
    var launch = sandbox.runner.launch([])
    launch.executable = "/usr/bin/unshare"
    let script = "mount -t tmpfs none /proc && exec \"$0\" state path --state /o"
    launch.arguments = ["--mount", "sh", "-c", script, sandbox.runner.binary]
    #expect(try sandbox.runner.run(launch).output == "/o\n")
  }
}
