import DLSyncTestSupport
import Glibc
import Testing

/// Disks that are full, limits of the process, and the state's own disk: through the binary.
@Suite(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
struct DiskTroubleTests {
  private let big = payload(count: 4 << 20, seed: 5)

  @Test(arguments: [Script.Framing.length, .chunked])
  func aFullDiskIsNamedAndLeavesNothingUnderTheName(framing: Script.Framing) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/big", .file(big).framed(framing))
    let manifest = try sandbox.manifest(files: [("/big", "big")])
    mkdir(sandbox.work, 0o755)
    let disk = try #require(SmallDisk(sandbox.out, "1m"))
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 1, "\(result)")
    #expect(document["files"][0]["error"]["code"].string == "diskFull")
    #expect(document["files"][0]["error"]["retryable"].bool == false)
    #expect(sandbox.published("big") == nil)
    #expect(sandbox.origin.requests().count == 1, "it was not tried again")
    let text = try sandbox.run("apply", manifest)
    #expect(
      (text.output + text.errors).contains("space") && (text.output + text.errors).contains("/out/big"), "\(text)")
    #expect(disk.resize("16m"))
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(sandbox.published("big") == big && sandbox.leftovers == [])
  }

  @Test func whatFitsIsFetchedBesideWhatDoesNot() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/big", .file(big))
    sandbox.origin.serve("/a", .file(payload(count: 300_000)))
    let disk = try #require(SmallDisk(sandbox.out, "1m"))
    let manifest = try sandbox.manifest(files: [("/big", "big"), ("/a", "a")])
    #expect(try sandbox.run("apply", manifest).status == 1)
    #expect(sandbox.published("a") == payload(count: 300_000) && sandbox.published("big") == nil)
    withExtendedLifetime(disk) {}
  }

  @Test(arguments: [64, 128, 192, 320])
  func aFullStateSpoilsNoFileAndTheNextRunCompletes(kibibytes: Int) throws {
    let sandbox = try Sandbox()
    let contents = (0..<30).map { payload(count: 3000, seed: UInt64($0)) }
    for (number, bytes) in contents.enumerated() { sandbox.origin.serve("/f\(number)", .file(bytes)) }
    let manifest = try sandbox.manifest(files: (0..<30).map { ("/f\($0)", "f\($0)") })
    let state = sandbox.folder("state")
    let disk = try #require(SmallDisk(state, "\(kibibytes)k"))
    let result = try sandbox.run("apply", manifest, "--state", state)
    #expect([0, 1, 4].contains(result.status), "\(result)")
    for (number, bytes) in contents.enumerated() {
      let found = sandbox.published("f\(number)")
      #expect(found == nil || found == bytes, "f\(number)")
    }
    #expect(disk.resize("16m"))
    let (next, document) = try sandbox.json("apply", manifest, "--state", state)
    #expect(next.status == 0 && document["summary"]["conflicts"].integer == 0, "\(next)")
    for (number, bytes) in contents.enumerated() { #expect(sandbox.published("f\(number)") == bytes) }
    #expect(sandbox.leftovers == [])
  }
}

/// What the file system holds and what a process may do: no disk of its own is needed.
@Suite struct PlaceTests {
  /// SIGXFSZ, which would end a process that does not expect it.
  @Test func aFileBeyondTheSizeLimitFailsAlone() throws {
    let sandbox = try Sandbox()
    let (big, small) = (payload(count: 4 << 20, seed: 5), payload(count: 300_000))
    sandbox.origin.serve("/big", .file(big))
    sandbox.origin.serve("/a", .file(small))
    let manifest = try sandbox.manifest(files: [("/big", "big"), ("/a", "a")])
    let result = try sandbox.shell("ulimit -f 2048; exec \"$0\" apply \"$1\"", manifest)
    #expect(result.status == 1 && result.signal == nil, "\(result)")
    #expect(sandbox.published("a") == small && sandbox.published("big") == nil)
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(sandbox.published("big") == big && sandbox.leftovers == [])
  }

  @Test(
    arguments: [
      (mask: "022", file: 0o644, folder: 0o755), ("077", 0o600, 0o700), ("027", 0o640, 0o750), ("002", 0o664, 0o775),
    ] as [(mask: String, file: UInt32, folder: UInt32)])
  func modesFollowTheUmask(mask: String, file: UInt32, folder: UInt32) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 100)))
    let manifest = try sandbox.manifest(files: [("/a", "d1/d2/a")])
    #expect(try sandbox.shell("umask \(mask); exec \"$0\" apply \"$1\"", manifest).status == 0)
    let modes = ["d1/d2/a", "d1/d2", "d1"].map { name -> UInt32 in
      var status = stat()
      #expect(stat(sandbox.out + "/" + name, &status) == 0)
      return status.st_mode & 0o7777
    }
    #expect(modes == [file, folder, folder])
  }

  /// The largest length that HTTP allows, beside a file that is on its way: a full disk and no crash.
  @Test func aLengthBeyondAllDisksFailsItsFileAlone() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/slow", .file(payload(count: 100_000)).paced(bytesPerSecond: 100_000))
    sandbox.origin.serve("/vast", .file(payload(count: 100)).framed(.declared(.max)))
    let manifest = try sandbox.manifest(files: [("/slow", "slow"), ("/vast", "vast")])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 1 && result.signal == nil, "\(result)")
    #expect(document["files"][1]["error"]["code"].string == "diskFull")
    #expect(sandbox.published("slow") == payload(count: 100_000))
  }

  /// The file is in place and its folder could not be flushed: it is dlsync's all the same.
  @Test func aFileInPlaceStaysOurs() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 100)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    _ = try sandbox.folder.makeFolder("work/out")
    let result = try injecting("fsync:error=EIO", on: sandbox.out, sandbox, manifest)
    #expect(result.status == 1 && result.errors.contains("could not flush the folder"), "\(result)")
    #expect(sandbox.published("a") == payload(count: 100))
    let (next, document) = try sandbox.json("apply", manifest)
    #expect(next.status == 0 && document["summary"]["conflicts"].integer == 0, "\(next)")
    #expect(sandbox.origin.requests().count == 1)
  }

  /// The flush of the whole file system tells nothing of a page that was lost before it: each file is asked.
  @Test func aPageThatWasLostFailsItsFileAlone() throws {
    let sandbox = try Sandbox()
    let files = (0..<24).map { ("/f\($0)", "f\($0)") }
    for (path, _) in files { sandbox.origin.serve(path, .file(payload(count: 1000))) }
    let manifest = try sandbox.manifest(files: files)
    let result = try injecting("sync_file_range:error=EIO:when=3", on: nil, sandbox, manifest)
    #expect(result.status == 1, "\(result)")
    let missing = files.filter { sandbox.published($0.1) == nil }
    #expect(missing.count == 1, "\(missing)")
    #expect(try sandbox.run("apply", manifest).status == 0)
  }

  /// An apply in which system calls fail, all of them or those on one path.
  private func injecting(
    _ fault: String, on path: String?, _ sandbox: Sandbox, _ manifest: String
  ) throws -> ProcessResult {
    var launch = sandbox.runner.launch([])
    launch.executable = "/usr/bin/strace"
    launch.arguments =
      ["-f", "-o", "/dev/null"] + (path.map { ["-P", $0] } ?? []) + [
        "-e", "inject=\(fault)", sandbox.runner.binary, "apply", manifest,
      ]
    return try sandbox.runner.run(launch)
  }

  @Test(arguments: ["000", "777"]) func theStateIsForItsOwnerWhateverTheUmask(mask: String) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 100)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.shell("umask \(mask); exec \"$0\" apply \"$1\"", manifest).status == 0)
    let state = sandbox.folder("home/.local/state/dlsync")
    let names = try ChildProcess(Launch("/usr/bin/find", [state, "-printf", "%y%m\\n"])).wait().output
    #expect(Set(names.split(separator: "\n")) == ["d700", "f600"], "\(names)")
  }

  @Test(arguments: [
    "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 1583 00:00:00 GMT", "yesterday", "",
  ])
  func oddDatesNeverFailAFile(date: String) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 100)).changed { $0.lastModified = date })
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: ["modified: server"])
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(sandbox.published("a") == payload(count: 100))
  }

  enum Obstacle: CaseIterable { case emptyFolder, fullFolder, pipe, socket, fileForParent, pipeForParent, link }

  @Test(arguments: Obstacle.allCases, ["fail", "replace"])
  func whatIsNoFileIsAConflictBeforeAnyRequest(obstacle: Obstacle, policy: String) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 100)))
    let place = sandbox.out + "/x/a"
    _ = try sandbox.folder.makeFolder("work/out")
    try put(obstacle, at: place, in: sandbox)
    let before = sandbox.folder.files()
    let manifest = try sandbox.manifest(files: [("/a", "x/a")], each: ["onConflict: \(policy)"])
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 3, "\(result)")
    let reason = obstacle == .link ? "destinationExists" : "destinationInvalid"
    #expect(document["files"][0]["reason"].string == reason, "\(result.output)")
    #expect(sandbox.origin.requests().isEmpty)
    #expect(sandbox.folder.files().filter { !$0.hasPrefix("home/") } == (before + ["work/manifest.yaml"]).sorted())
  }

  private func put(_ obstacle: Obstacle, at place: String, in sandbox: Sandbox) throws {
    switch obstacle {
    case .fileForParent: try sandbox.folder.write("mine", to: "work/out/x")
    case .pipeForParent: #expect(mkfifo(sandbox.out + "/x", 0o600) == 0)
    default: _ = try sandbox.folder.makeFolder("work/out/x")
    }
    switch obstacle {
    case .emptyFolder: #expect(mkdir(place, 0o700) == 0)
    case .fullFolder: try sandbox.folder.write("mine", to: "work/out/x/a/mine")
    case .pipe: #expect(mkfifo(place, 0o600) == 0)
    case .socket: #expect(mknod(place, S_IFSOCK | 0o600, 0) == 0)
    case .link: #expect(symlink("/dev/null", place) == 0)
    case .fileForParent, .pipeForParent: break
    }
  }

  /// Space that was allocated in advance looks like a file of the right size after a crash.
  @Test(arguments: [true, false])
  func aFileOfZerosIsNeverTakenForTheFile(hasChecksum: Bool) throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 300_000)
    sandbox.origin.serve("/a", .file(bytes))
    let zeros = [UInt8](repeating: 0, count: bytes.count)
    try sandbox.folder.write(zeros, to: "work/out/a")
    let digest = String(repeating: "ab", count: 32)
    let manifest = try sandbox.manifest(files: [("/a", "a")], each: hasChecksum ? ["checksum: sha256:\(digest)"] : [])
    #expect(try sandbox.run("apply", manifest).status == 3)
    #expect(sandbox.published("a") == zeros && sandbox.origin.requests().isEmpty)
  }

  @Test func oneManifestIsOneScopeFromAnyWorkingFolder() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 100)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("apply", manifest).status == 0)
    let spellings = ["cd /; exec \"$0\" plan \"${1#/}\"", "cd \"${1%/*}\"; exec \"$0\" plan ./../work/manifest.yaml"]
    for spelling in spellings {
      let result = try sandbox.shell(spelling + " --format json", manifest)
      #expect(try JSONValue(result.output)["summary"]["reuse"].integer == 1, "\(spelling): \(result)")
    }
    #expect(sandbox.origin.requests().count == 1)
  }
}
