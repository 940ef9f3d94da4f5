import DLSyncTestSupport
import Glibc
import Testing

/// What a user does to a finished file between two runs, and what becomes of it.
@Suite struct OwnershipTests {
  enum Deed: String, CaseIterable {
    case removes, removesWithItsFolder, appends, savesOthers, savesTheSame, touches, takesAllRights, putsAFolder,
      putsALink
  }

  /// The action, the reason, the exit status of apply, and whether the file is the wanted one afterwards.
  private func expectation(_ deed: Deed) -> (action: String, reason: String, status: Int32, isRight: Bool) {
    switch deed {
    case .removes, .removesWithItsFolder: ("download", "missing", 0, true)
    case .savesTheSame, .touches, .takesAllRights: ("reuse", "unchanged", 0, true)
    case .appends, .savesOthers: ("conflict", "destinationModified", 3, false)
    case .putsAFolder: ("conflict", "destinationInvalid", 3, false)
    case .putsALink: ("conflict", "destinationExists", 3, true)
    }
  }

  @Test(arguments: Deed.allCases) func whatTheUserDidStays(deed: Deed) throws {
    let sandbox = try Sandbox()
    let bytes = payload(count: 3000)
    sandbox.origin.serve("/a", .file(bytes))
    let manifest = try sandbox.manifest(files: [("/a", "d/a")])
    #expect(try sandbox.run("apply", manifest).status == 0)
    try carryOut(deed, bytes, sandbox)
    let expected = expectation(deed)
    let file = try sandbox.json("plan", manifest).document["files"][0]
    #expect(file["action"].string == expected.action && file["reason"].string == expected.reason, "\(file)")
    let before = sandbox.folder.files(below: "work/out")
    #expect(try sandbox.run("apply", manifest).status == expected.status)
    chmod(sandbox.out + "/d/a", 0o644)
    #expect((sandbox.published("d/a") == bytes) == expected.isRight)
    if expected.status == 3 { #expect(sandbox.folder.files(below: "work/out") == before) }
  }

  private func carryOut(_ deed: Deed, _ bytes: [UInt8], _ sandbox: Sandbox) throws {
    let name = "work/out/d/a"
    let path = sandbox.folder(name)
    switch deed {
    case .removes: #expect(unlink(path) == 0)
    case .removesWithItsFolder: sandbox.folder.removeTree("work/out/d")
    case .appends: try sandbox.folder.write(bytes + [0], to: name)
    case .savesOthers, .savesTheSame:
      let new = try sandbox.folder.write(
        deed == .savesTheSame ? bytes : payload(count: 3000, seed: 9), to: name + ".new")
      #expect(rename(new, path) == 0)
    case .touches: #expect(utimes(path, nil) == 0)
    case .takesAllRights: #expect(chmod(path, 0) == 0)
    case .putsAFolder:
      #expect(unlink(path) == 0)
      try sandbox.folder.write("mine", to: name + "/mine")
    case .putsALink:
      #expect(rename(path, path + ".copy") == 0 && symlink(path + ".copy", path) == 0)
    }
  }

  @Test func aFileThatIsMovedOntoAnotherOverwritesNothing() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b"] { sandbox.origin.serve("/\(name)", .file(payload(count: 3000, seed: name == "a" ? 1 : 2))) }
    let manifest = try sandbox.manifest(files: [("/a", "a"), ("/b", "b")])
    #expect(try sandbox.run("apply", manifest).status == 0)
    #expect(rename(sandbox.out + "/a", sandbox.out + "/b") == 0)
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 3, "\(result)")
    #expect(document["files"].array?.map { $0["reason"].string } == ["missing", "destinationModified"])
    #expect(
      sandbox.published("a") == payload(count: 3000, seed: 1) && sandbox.published("b") == payload(count: 3000, seed: 1)
    )
  }
}
