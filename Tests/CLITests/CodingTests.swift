import DLSyncTestSupport
import Testing

/// Bodies that are encoded though identity was asked for.
@Suite struct CodingTests {
  @Test(
    arguments: [
      ("/x.gz", "gzip", true), ("/x.TGZ", "X-Gzip", true), ("/x.gz?y=.br", "identity, gzip", true),
      ("/x.br", "br", true),
      ("/x.zst", "zstd", true), ("/x.br", "gzip", false), ("/x.zst", "gzip", false), ("/x.gz", "br", false),
      ("/x.gz", "gzip, gzip", false), ("/x.gz", "gzip, br", false), ("/x.bin", "gzip", false),
      ("/x?y=.gz", "gzip", false),
    ])
  func onlyTheCodingThatTheNameSaysIsTheFilesOwn(path: String, coding: String, isKept: Bool) throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve(String(path.prefix { $0 != "?" }), .file([1, 2]).with("Content-Encoding", coding))
    let manifest = try sandbox.manifest(files: [(path, "x")])
    let (_, document) = try sandbox.json("apply", manifest)
    #expect(document["files"][0]["error"]["code"].string == (isKept ? nil : "encodingUnsupported"), "\(document)")
    #expect(sandbox.published("x") == (isKept ? [1, 2] : nil))
  }
}
