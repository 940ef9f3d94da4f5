import DLSyncTestSupport
import Glibc
import Testing

/// The scripts, in the shells that they are for.
@Suite struct CompletionTests {
  /// A sandbox with two recorded tasks, and the folder of the program in PATH.
  private static func world() throws -> (sandbox: Sandbox, environment: [String: String]) {
    let sandbox = try Sandbox()
    sandbox.origin.serve("/a", .file(payload(count: 10)))
    let text = """
      version: 1
      root: out
      baseURL: \(sandbox.origin.url("/"))
      queues: { default: {}, nightly: {} }
      files:
        - { url: a, destination: first file, tags: [tools, big] }
        - { url: a, destination: second, tags: [tools] }

      """
    let result = try sandbox.run("apply", try sandbox.manifest(text))
    #expect(result.status == 0, "\(result)")
    var environment = sandbox.runner.launch([]).environment
    let folder = sandbox.runner.launch([]).executable.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    environment["PATH"] = folder.joined(separator: "/") + ":/usr/local/bin:/usr/bin:/bin"
    return (sandbox, environment)
  }

  private static func output(_ shell: String, _ script: String) throws -> String {
    let (sandbox, environment) = try world()
    let launch = Launch(
      "/usr/bin/\(shell)", shell == "zsh" ? ["-f", "-c", script] : ["-c", script], environment: environment,
      workingFolder: sandbox.work)
    let result = try ChildProcess(launch).wait(.seconds(30))
    #expect(result.errors == "", "\(result)")
    return result.output
  }

  @Test func bashCompletes() throws {
    let script = """
      source <(dlsync completions bash)
      compopt() { :; }
      try() { COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dlsync; echo "${COMPREPLY[@]}"; }
      try dlsync ap
      try dlsync apply --que
      try dlsync apply --queue = d
      try dlsync plan --color n
      mkdir -p shelves; touch shelf.yaml shelf.txt
      try dlsync plan shel
      try dlsync wait "$PWD/out/first"
      complete -p dlsync
      try dlsync apply manifest.yaml --tag ""
      """
    let lines = try Self.output("bash", script).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(5) == ["apply", "--queue", "default", "never", "shelves shelf.yaml"])
    #expect(lines.count > 6 && lines[5].hasSuffix("/first\\ file"), "\(lines)")
    #expect(lines.count > 6 && lines[6] == "complete -F _dlsync dlsync")
    #expect(lines.count > 7 && lines[7] == "big tools")
  }

  @Test(.enabled(if: access("/usr/bin/zsh", X_OK) == 0)) func zshCompletes() throws {
    let script = """
      compdef() { : }
      source <(dlsync completions zsh)
      _describe() { print -rl -- "${(@P)4}" }
      _files() { print files "$@" }
      compset() { print -r compset "$@" }
      try() { words=("$@"); CURRENT=$#words; _dlsync }
      try dlsync ap
      try dlsync apply --queue=d
      try dlsync plan ''
      try dlsync apply --report=r
      try dlsync wait "${PWD//\\//\\\\/}/out/first"
      """
    let lines = try Self.output("zsh", script).split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(6) == [
        "apply:make the files be as the manifest says", "--queue=default:queue",
        "compset -P --*=", "files -g *.(yaml|yml)(-.)", "compset -P --*=", "files",
      ])
    #expect(lines.last?.hasSuffix("/out/first file:completed") == true, "\(lines)")
  }

  @Test(.enabled(if: access("/usr/bin/fish", X_OK) == 0)) func fishCompletes() throws {
    let script = """
      dlsync completions fish | source
      complete -C 'dlsync ap'
      complete -C 'dlsync apply --queue d'
      complete -C 'dlsync apply --tag b'
      touch ra.html; mkdir rb
      complete -C 'dlsync apply --report=r' | sort
      complete -C "dlsync wait $PWD/out/sec"
      """
    let lines = try Self.output("fish", script).split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(5) == [
        "apply\tmake the files be as the manifest says", "default\tqueue", "big\ttag", "--report=ra.html",
        "--report=rb/",
      ])
    #expect(lines.last?.hasSuffix("/out/second\tcompleted") == true, "\(lines)")
  }
}
