import DLSyncTestSupport
import Testing

/// `plan --explain`: each value that counts for a file, and who says so.
@Suite struct ExplainTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private static let digest = String(repeating: "2c", count: 32)
  private static let text = """
    version: 1
    vars: { release: "1.10" }
    baseURL: https://h/tools/
    root: out
    queues: { large: { rate: 1MiB/s } }
    defaults:
      priority: 0.9
      headers: { X-A: "hunter2", X-B: "${env:TOKEN:-none}" }
    files:
      - url: tool-${release}-${arch}.gz
        queue: large
        matrix: { arch: [amd64] }
        headers: { x-b: "secret" }
        checksum: sha256:\(digest)
    filesFrom: [{ path: l.csv, onConflict: keep }]

    """

  private func explained(_ arguments: String...) throws -> [String: JSONValue] {
    let all = ["plan", "--format", "json", "--explain"] + arguments
    let result = try sandbox.runner.run(sandbox.runner.launch(all))
    #expect(result.status == 0, "\(result)")
    let document = try JSONValue(result.output)
    let values = document["explanations"][0]["values"].array ?? []
    return Dictionary(values.map { ($0["key"].string ?? "", $0) }) { first, _ in first }
  }

  @Test func eachValueNamesItsOrigin() throws {
    try sandbox.folder.write("url,size\nhttps://h/b,5\n", to: "work/l.csv")
    let manifest = try sandbox.manifest(Self.text)
    let values = try explained("tool-1.10-amd64.gz", manifest)
    func origin(_ key: String) -> String? { values[key]?["origin"].string }
    func line(_ key: String) -> Int? { values[key]?["line"].integer }
    #expect(origin("url") == "manifest" && line("url") == 10)
    let variables: [JSONValue] = values["url"]?["variables"].array ?? []
    #expect(variables.map { $0["name"].string } == ["release", "arch"])
    #expect(variables.map { $0["origin"].string } == ["vars", "matrix"])
    #expect(origin("baseURL") == "manifest" && line("baseURL") == 3)
    #expect(origin("destination") == "derived" && origin("root") == "manifest")
    #expect(origin("priority") == "defaults" && line("priority") == 7)
    #expect(origin("headers.X-A") == "defaults" && values["headers.X-A"]?["value"].string == "…")
    #expect(origin("checksum") == "manifest" && line("checksum") == 14)
    #expect(origin("queue.rate") == "manifest" && line("queue.rate") == 5)
    #expect(origin("queue.concurrency") == "builtIn" && origin("permissions") == "builtIn")
  }

  @Test func linesOfListsAndTheirDefaultsAreTold() throws {
    try sandbox.folder.write("url,size\nhttps://h/b,5\n", to: "work/l.csv")
    let manifest = try sandbox.manifest(Self.text)
    let values = try explained("b", manifest)
    #expect(values["size"]?["origin"].string == "list" && values["size"]?["line"].integer == 2)
    #expect(values["size"]?["file"].string?.hasSuffix("l.csv") == true)
    #expect(values["onConflict"]?["origin"].string == "listDefaults" && values["onConflict"]?["line"].integer == 15)
    #expect(values["priority"]?["origin"].string == "defaults")
  }

  @Test func entriesThatWantOnePlaceAreEachTheirOwn() throws {
    let manifest = try sandbox.manifest(
      "version: 1\nfiles:\n- {url: https://h/a, destination: x, size: 5}\n- {url: https://h/b, destination: x, size: 7}\n"
    )
    let document = try sandbox.json("plan", manifest, "--explain", "x").document
    let found = (document["explanations"].array ?? []).map { explanation in
      (explanation["values"].array ?? []).filter { ["url", "size"].contains($0["key"].string) }.map {
        $0["value"].string
      }
    }
    #expect(found == [["https://h/a", "5"], ["https://h/b", "7"]])
  }

  @Test func theLockFileAndOptionsAreOrigins() throws {
    sandbox.origin.serve("/a", .file(payload(count: 100)))
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    #expect(try sandbox.run("lock", manifest).status == 0)
    let values = try explained("a", manifest, "--on-conflict", "keep")
    #expect(values["checksum"]?["origin"].string == "lock" && values["size"]?["value"].string == "100")
    #expect(values["onConflict"]?["origin"].string == "option")
    #expect(values["onConflict"]?["name"].string == "--on-conflict")
  }

  @Test func theProxyOfTheEnvironmentIsNamedWithoutItsPassword() throws {
    let manifest = try sandbox.manifest(files: [("/a", "a")])
    let environment = ["http_proxy": "http://u:hunter2@127.0.0.1:9"]
    let result = try sandbox.run("plan", manifest, "--explain", "a", environment: environment)
    #expect(result.status == 0 && result.output.contains("environment http_proxy"), "\(result)")
    #expect(!result.output.contains("hunter2"))
  }

  @Test func textHasNoSecretsAndWrongNamesAreAnswered() throws {
    try sandbox.folder.write("url\n", to: "work/l.csv")
    let manifest = try sandbox.manifest(Self.text)
    let result = try sandbox.run("plan", manifest, "--explain", "tool-1.10-amd64.gz")
    #expect(result.status == 0 && result.output.contains("built in"), "\(result)")
    #expect(!result.output.contains("hunter2") && !result.output.contains("secret"))
    let wrong = try sandbox.run("plan", manifest, "--explain", "tool-1.10-amd46.gz")
    #expect(wrong.status == 2 && wrong.errors.contains("did you mean"), "\(wrong)")
  }

  @Test func aNullSaysNothingAndAFileThatIsNotManagedHasItsPlace() throws {
    let manifest = try sandbox.manifest(
      """
      version: 1
      defaults: { checksum: sha256:\(Self.digest), managed: true }
      files:
        - { url: https://h/a, checksum: null }
        - { url: https://h/b, destination: y, managed: false }
        - { url: https://h/c, managed: false }

      """)
    let first = try explained("https://h/a", manifest)
    #expect(first["checksum"]?["origin"].string == "defaults" && first["checksum"]?["line"].integer == 2)
    #expect(first["destination"]?["origin"].string == "derived" && first["destination"]?["line"].integer == 2)
    let second = try explained("y", manifest)
    #expect(second["destination"]?["origin"].string == "manifest" && second["destination"]?["column"].integer == 38)
    let third = try explained("c", manifest)
    #expect(third["destination"]?["origin"].string == "derived" && third["destination"]?["name"].string == "url")
  }
}
