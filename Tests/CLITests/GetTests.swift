import DLSyncTestSupport
import Glibc
import Testing

@Suite struct GetTests {
  private let sandbox: Sandbox
  private let url: String

  init() throws {
    sandbox = try Sandbox()
    url = sandbox.origin.serve("/a.bin", .file(payload(count: 1000)))
  }

  @Test func pathAloneIsPrinted() throws {
    let result = try sandbox.run("get", url, "-o", "d/x")
    #expect(
      result.status == 0 && result.output == sandbox.folder("work/d/x") + "\n" && result.errors == "", "\(result)")
    #expect(sandbox.folder.read("work/d/x") == payload(count: 1000))
    #expect(try sandbox.run("get", url, "-o", "d/").output == sandbox.folder("work/d/a.bin") + "\n")
  }

  @Test func standardOutputHasThePathAndNotTheFile() throws {
    let refused = try sandbox.run("get", url, "-o", "-")
    #expect(refused.status == 2 && refused.errors.contains("./-"), "\(refused)")
    #expect(try sandbox.run("get", url, "-o", "./-").output == sandbox.folder("work/-") + "\n")
  }

  @Test func terminalIsNotMovedByAPath() throws {
    let raw = "\u{1b}]0;pwned\u{7}"
    sandbox.origin.serve("/%1b%5d0;pwned%07y", .file(payload(count: 10)))
    let piped = try sandbox.run("get", sandbox.origin.url("/%1b%5d0;pwned%07y"))
    #expect(piped.status == 0 && piped.output.hasSuffix("/\(raw)y\n"), "\(piped)")
    let size = Launch.TerminalSize(columns: 200, rows: 20)
    let commands = [
      ["get", sandbox.origin.url("/%1b%5d0;pwned%07y")], ["wait"],
      ["--state", sandbox.folder("work/\(raw)y"), "state", "path"],
    ]
    for command in commands {
      var launch = sandbox.runner.launch(command)
      launch.errors = .terminal
      launch.output = .terminal
      launch.terminalSize = size
      let shown = try sandbox.runner.run(launch)
      #expect(shown.status == 0 && shown.terminal.contains("\\x1b]0;pwned\\x07y"), "\(command): \(shown)")
      #expect(!shown.terminal.contains(raw), "\(command): \(shown)")
    }
  }

  @Test func storeTakesWhatHasNoPlace() throws {
    let first = try sandbox.run("get", url)
    #expect(first.status == 0 && first.output.hasPrefix(sandbox.folder("home/.local/state/dlsync/files/")), "\(first)")
    #expect(first.output.hasSuffix("/a.bin\n"))
    let connections = sandbox.origin.connectionCount
    #expect(try sandbox.run("get", url).output == first.output)
    #expect(sandbox.origin.connectionCount == connections)
  }

  @Test func documentOfAFileThatIsThereTellsItsBytes() throws {
    let first = try sandbox.json("get", url, "-o", "x").document
    let again = try sandbox.json("get", url, "-o", "x").document
    #expect(first["bytes"].integer == 1000 && again["bytes"].integer == 1000 && again["fetchedBytes"].integer == 0)
    #expect(first["sha256"].string == again["sha256"].string && again["sha256"].string?.count == 64, "\(again)")
  }

  @Test func oneFileIsFetchedOnceHoweverManyAskForIt() throws {
    sandbox.origin.serve("/slow", .file(payload(count: 1000)).delayed(.milliseconds(300)))
    let slow = sandbox.origin.url("/slow")
    let runs = try (0..<4).map { _ in try sandbox.runner.start("get", slow) }
    let results = runs.map { $0.wait() }
    #expect(results.allSatisfy { $0.status == 0 }, "\(results)")
    #expect(Set(results.map(\.output)).count == 1)
    #expect(sandbox.origin.requests("/slow").count == 1)
  }

  @Test func failurePrintsNoPath() throws {
    let zeros = "sha256:" + String(repeating: "0", count: 64)
    let wrong = try sandbox.run("get", url, "-o", "x", "--checksum", zeros)
    #expect(wrong.status == 1 && wrong.output == "", "\(wrong)")
    #expect(wrong.errors.contains("is not the expected file") && !sandbox.folder.holds("work/x"))
    try sandbox.folder.write("mine", to: "work/x")
    let conflict = try sandbox.run("get", url, "-o", "x")
    #expect(conflict.status == 3 && conflict.output == "" && sandbox.folder.read("work/x") == Array("mine".utf8))
    #expect(try sandbox.run("get", url, "-o", "x", "--on-conflict", "replace").status == 0)
    for arguments in [["get", "ftp://h/x"], ["get"], ["get", url, "--checksum", "md5:1"], ["get", url, "-o", ""]] {
      #expect(try sandbox.runner.run(sandbox.runner.launch(arguments)).status == 2, "\(arguments)")
    }
    for place in ["s3://b/x", "webdav:x", "~", "~/x"] {
      let result = try sandbox.run("get", url, "-o", place)
      #expect(result.status == 2 && result.errors.contains("not"), "\(result)")
    }
    #expect(!sandbox.folder.holds("work/s3:") && !sandbox.folder.holds("work/~"))
  }

  @Test func wordsNeedNoManifest() throws {
    let gone = try sandbox.run("get", sandbox.origin.url("/gone"), "-o", "g")
    #expect(gone.errors.contains("error: httpStatus: ") && gone.errors.contains("hint: check the URL\n"), "\(gone)")
    try sandbox.folder.write("mine", to: "work/x")
    let conflict = try sandbox.run("get", url, "-o", "x")
    #expect(conflict.errors.contains("error: destinationExists: "), "\(conflict)")
    #expect(conflict.errors.contains("--on-conflict replace") && !conflict.errors.contains("onConflict"), "\(conflict)")
    let secret = try sandbox.run("get", "http://me:secret@127.0.0.1/x")
    #expect(secret.status == 2 && secret.errors.contains("hint: leave it out of the URL"), "\(secret)")
    #expect(!secret.errors.contains("secret@") && !secret.errors.contains("whole URL"), "\(secret)")
    let folder = try sandbox.run("get", url, "-o", ".")
    #expect(folder.status == 2 && folder.errors.contains("-o ./\n"), "\(folder)")
    #expect(try sandbox.run("get", url, "-o", "./").status == 0 && sandbox.folder.holds("work/a.bin"))
  }

  @Test func stoppedGetSaysHowToGoOn() throws {
    let bytes = payload(count: 400_000)
    sandbox.origin.serve("/long", .file(bytes).cut(after: 200_000, .silence))
    let process = try sandbox.runner.start("get", sandbox.origin.url("/long"), "-o", "l")
    #expect(sandbox.origin.wait { $0.bodyBytesSent >= 200_000 })
    process.send(SIGINT)
    let result = process.wait(.seconds(20))
    #expect(result.status == 130 && result.output == "", "\(result)")
    #expect(result.errors.contains("stopped by SIGINT; the same command goes on where it was\n"), "\(result)")
    #expect(!result.errors.contains("error:"), "\(result)")
    let waited = try sandbox.run("wait")
    #expect(waited.status == 1 && waited.errors.contains("hint: the same dlsync get goes on with it"), "\(waited)")
  }

  @Test(arguments: [("pause", "resume"), ("cancel", "restart"), ("remove", "get")])
  func whatIsTakenOutOfTheRunIsNotThere(command: String, release: String) throws {
    sandbox.origin.serve("/long", .file(payload(count: 400_000)).cut(after: 200_000, .silence))
    let long = sandbox.origin.url("/long")
    let process = try sandbox.runner.start("get", long, "-o", "l")
    #expect(sandbox.origin.wait { $0.bodyBytesSent >= 200_000 })
    #expect(try sandbox.run(command, "l").status == 0)
    let result = process.wait(.seconds(20))
    #expect(result.status == 1 && result.output == "" && !sandbox.folder.holds("work/l"), "\(result)")
    #expect(result.errors.contains("canceled") && result.errors.contains("dlsync \(release)"), "\(result)")
    guard command != "remove" else { return }
    let (again, document) = try sandbox.json("get", long, "-o", "l")
    #expect(again.status == 1 && document["exitStatus"].integer == 1 && document["path"].isNull, "\(again)")
    #expect(document["error"]["code"].string == "canceled", "\(again)")
  }

  @Test func headersAreSent() throws {
    #expect(try sandbox.run("get", url, "-o", "x", "-H", "X-K: v").status == 0)
    #expect(sandbox.origin.requests("/a.bin").last?.header("X-K") == "v")
    let (result, document) = try sandbox.json("get", url, "-o", "y")
    #expect(result.status == 0 && document["path"].string == sandbox.folder("work/y"))
    #expect(document["sha256"].string?.count == 64 && document["error"].isNull)
  }
}
