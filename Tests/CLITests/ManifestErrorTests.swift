import DLSyncTestSupport
import Testing

/// Manifests that are wrong: every error with its place, nothing done, exit status 2.
@Suite struct ManifestErrorTests {
  @Test func everyErrorIsToldWithItsPlace() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(
      """
      version: 1
      files:
        - url: ftp://127.0.0.1/a
        - url: http://127.0.0.1:1/b
          destinaton: b
        - url: http://127.0.0.1:1/c
          checksum: sha256:123

      """)
    for command in ["check", "plan", "apply"] {
      let result = try sandbox.run(command, manifest)
      #expect(result.status == 2, "\(result)")
      #expect(result.output == "")
      for place in [":3:", ":5:", ":7:"] {
        #expect(result.errors.contains("\(manifest)\(place)"), "\(place) of \(result.errors)")
      }
      #expect(result.errors.contains(": error: files[1]"))
      #expect(result.errors.contains("destination"))
      #expect(result.errors.contains("    ^") || result.errors.contains("^\n"))
    }
    #expect(sandbox.folder.files() == ["work/manifest.yaml"])
  }

  @Test func aVariableThatNobodyKnowsIsToldOf() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(
      "version: 1\nvars: { rel: '1', spare: '1' }\nfiles:\n  - http://127.0.0.1:1/${rel}/${free}\n")
    for command in ["check", "plan"] {
      let result = try sandbox.run(command, manifest, "--var", "free=1", "--var", "spare=2", "--var", "rle=2")
      #expect(result.status == 0, "\(result)")
      let warning = #"dlsync: warning: no manifest mentions the variable "rle" that --var sets; did you mean "rel"?"#
      #expect(result.errors == warning + "\n", "\(result)")
    }
    let check = try sandbox.run("check", manifest, "--var", "free=1", "--var", "zzzzzz=2")
    #expect(check.status == 0 && check.errors.contains("\"zzzzzz\" that --var sets\n"), "\(check)")
    #expect(try sandbox.run("check", manifest, "--var", "free=1").errors == "")
    #expect(try sandbox.run("plan", manifest, "--var", "free=1", "--var", "rle=2", "--quiet").errors == "")
    let other = try sandbox.folder.write("version: 1\nvars: { rle: '1' }\nfiles: []\n", to: "work/other.yaml")
    #expect(try sandbox.run("plan", manifest, other, "--var", "free=1", "--var", "rle=2").errors == "")
  }

  @Test func checkReportsConflictsThatNeedNoDisk() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(
      """
      version: 1
      files:
        - { url: http://127.0.0.1:1/a, destination: x }
        - { url: http://127.0.0.1:1/b, destination: x }
        - { url: http://127.0.0.1:1/c, destination: x/y }
        - { url: http://127.0.0.1:1/d, destination: d1, headers: { X-A: "1" } }
        - { url: http://127.0.0.1:1/d, destination: d2 }
        - { url: http://127.0.0.1:1/e, destination: e }

      """)
    let text = try sandbox.run("check", manifest)
    #expect(text.status == 0 && text.output.hasSuffix("\(manifest): 5 conflicts, 6 files\n"), "\(text)")
    #expect(text.output.contains("more than one file: line 3 and line 4\n"), "\(text)")
    let (result, document) = try sandbox.json("check", manifest)
    let codes = document["conflicts"].array?.map { $0["error"]["code"].string }
    #expect(result.status == 0 && document["exitStatus"].integer == 0, "\(result)")
    let (place, twin) = ("destinationConflict", "duplicateTaskConflict")
    #expect(codes == [place, place, place, twin, twin], "\(document)")
    #expect(sandbox.folder.files() == ["work/manifest.yaml"])
    #expect(try sandbox.run("check", manifest, "--quiet").errors.contains("destinationConflict"))
  }

  @Test func programsGetEveryErrorToo() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(
      "version: 1\nfiles:\n  - url: gopher://a\n  - url: http://u:PWSECRET@127.0.0.1/a\n")
    for command in ["check", "plan", "apply"] {
      let (result, document) = try sandbox.json(command, manifest)
      #expect(result.status == 2)
      #expect(document["error"]["code"].string == "manifestInvalid")
      #expect(document["diagnostics"].array?.compactMap { $0["line"].integer } == [3, 4])
      #expect(document["exitStatus"].integer == 2)
      #expect(!result.output.contains("PWSECRET") && !result.errors.contains("PWSECRET"))
    }
  }

  @Test func oneWrongManifestStopsTheOthers() throws {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let good = try sandbox.manifest(files: [("/a", "a")])
    let bad = try sandbox.manifest("version: 2\n", name: "bad.yaml")
    let result = try sandbox.run("apply", good, bad)
    #expect(result.status == 2)
    #expect(sandbox.origin.requests().isEmpty)
    #expect(sandbox.published("a") == nil)
  }

  @Test func absentManifestIsTold() throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run("apply", "absent.yaml")
    #expect(result.status == 2)
    #expect(result.errors.contains("absent.yaml"))
  }

  @Test func standardInputNeedsAName() throws {
    let sandbox = try Sandbox()
    let text = "version: 1\nroot: out\nfiles: []\n"
    #expect(try sandbox.run("check", "-", input: text).status == 2)
    #expect(try sandbox.run("check", "-", input: "name: n\n" + text).status == 0)
  }

  @Test func variablesComeFromTheCommandLineAndTheEnvironment() throws {
    let sandbox = try Sandbox()
    let manifest = try sandbox.manifest(
      """
      version: 1
      vars: { name: from-file }
      files:
        - url: http://127.0.0.1:1/${name}-${env:DLSYNC_TEST_WORD}

      """)
    #expect(try sandbox.run("check", manifest).status == 2)
    let result = try sandbox.run(
      "plan", manifest, "--format", "json", "--var", "name=given", environment: ["DLSYNC_TEST_WORD": "word"])
    #expect(try JSONValue(result.output)["files"][0]["url"].string == "http://127.0.0.1:1/given-word")
  }
}
