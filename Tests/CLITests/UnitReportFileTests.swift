import DLSyncModel
import DLSyncSystem
import DLSyncTestSupport
import Glibc
import Testing

@testable import DLSyncCLI

@Suite struct ReportFileTests {
  @Test(
    arguments: [
      ("r.html", ReportFormat.html), ("a/b.XML", .xml), ("r.tar.md", .md), ("x.json", .json), ("node.prom", .prom),
      ("r.pdf", nil), ("json", nil), (".json", nil), ("a.json/b", nil), ("a/.md", nil), ("", nil), ("r.", nil),
    ] as [(String, ReportFormat?)])
  func suffixesTellTheFormat(path: String, format: ReportFormat?) {
    #expect(ReportFormat(path: path) == format)
  }

  @Test func reportsReplaceWhatHasTheirName() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("old", to: "r.md")
    chmod(folder("r.md"), 0o640)
    try ReportFile.write(folder("r.md")) { $0.write("new") }
    #expect(folder.read("r.md") == Array("new".utf8))
    #expect(folder.files() == ["r.md"])
    var attributes = stat()
    stat(folder("r.md"), &attributes)
    #expect(attributes.st_mode & 0o777 == 0o640)
  }

  @Test func readersOfTheOldReportKeepIt() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("old", to: "r.prom")
    let descriptor = open(folder("r.prom"), O_RDONLY)
    defer { close(descriptor) }
    try ReportFile.write(folder("r.prom")) { channel in
      #expect(folder.read("r.prom") == Array("old".utf8))
      channel.write("new")
      channel.flush()
      #expect(folder.read("r.prom") == Array("old".utf8))
    }
    #expect(contents(of: descriptor) == "old")
  }

  @Test func linksKeepPointingAtTheirFile() throws {
    let folder = try TemporaryFolder()
    _ = try folder.makeFolder("far")
    _ = try folder.write("old", to: "far/r.json")
    symlink("far/r.json", folder("r.json"))
    try ReportFile.write(folder("r.json")) { $0.write("new") }
    #expect(folder.read("far/r.json") == Array("new".utf8))
    var attributes = stat()
    #expect(lstat(folder("r.json"), &attributes) == 0 && attributes.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func whatCannotBeWrittenSaysWhy() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SystemTrouble(ENOENT)) { try ReportFile.write(folder("no/r.md")) { $0.write("x") } }
    symlink("/dev/full", folder("full.md"))
    #expect(throws: SystemTrouble(ENOSPC)) { try ReportFile.write(folder("full.md")) { $0.write("x") } }
    #expect(SystemTrouble(ENOSPC).text == "no space is left on its file system")
    #expect(folder.files().allSatisfy { !$0.hasSuffix(".tmp") })
  }
}
