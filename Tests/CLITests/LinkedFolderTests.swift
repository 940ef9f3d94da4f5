import DLSyncTestSupport
import Glibc
import Testing

/// A home folder that is a link to another disk: people name files by the link, the record has where it leads.
@Suite struct LinkedFolderTests {
  @Test func filesAreFoundByTheLinkToTheirFolder() throws {
    let sandbox = try Sandbox()
    for name in ["a", "b"] { sandbox.origin.serve("/\(name)", .file([1])) }
    #expect(symlink(sandbox.folder("work"), sandbox.folder("link")) == 0)
    let manifest = try sandbox.manifest(files: [("/a", "d/a"), ("/b", "d/b")])
    let linked = sandbox.folder("link/out/d")
    let planned = try sandbox.json("plan", manifest, "--only", "\(linked)/a*").document["files"]
    #expect(planned.array?.count == 1 && planned[0]["destination"].string?.hasSuffix("/d/a") == true, "\(planned)")
    #expect(try sandbox.run("apply", manifest).status == 0)
    for (name, count) in [("\(linked)/a", 1), ("\(linked)/[ab]", 1), ("\(linked)/c", 0)] {
      let document = try sandbox.json("remove", name).document
      let removed = document["results"].array?.filter { $0["error"]["code"].string == nil } ?? []
      #expect(removed.count == count, "\(name): \(document)")
    }
  }
}
