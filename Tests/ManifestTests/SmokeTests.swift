import DLSyncManifest
import DLSyncModel
import Testing

@Suite struct SmokeTests {
  @Test func show() throws {
    let h = String(repeating: "ab", count: 32)
    for text in [
      "version: 1\nroot: out\nfiles:\n  - url: http://h/a\n    cheksum: x\n  - {url: 'http://h/2', prioriti: 0.5}\n",
      "version: 1\nfiles:\n  - url: http://u:hunter2@h/x\n    headers: {Host: hunter2, X: ok}\n    header: {Authorization: hunter2}\n",
      "version: 1\nfiles:\n\t- url: x\n", "", "null\n", "[]", "hello", "a: &a [*a]\n", "---\n---\n", "version: 2\nfoo: 1",
      "version: 1\nfiles:\n  - {url: http://h/${x}}\n", "version: 1\nfiles:\n  - url: 'http://h/a\n",
      "version: 1\nname: {}\nroot: []\nbaseURL: {}\nvars: {a: [1]}\ndefaults: []\nqueues:\n  q: 5\nfiles:\n  - {url: {}}\n",
      "version: 1\nfiles:\n  - url: http://h/a\n    <<: 5\n", "version: 1\nfiles:\n  - url: http://h/a\n    headers:\n      X: \"hunter2\n",
      "version: 1\nfiles:\n  - {url: http://h/a, checksum: sha256:\(h), matrix: {a: [1]}, mirrors: [http://x/y], refresh: 5m, modified: server}\n",
    ] {
      print("-----", text)
      print(Reading.rendered(text).joined(separator: "\n"))
    }
    let m = try Reading.manifest("files:\n- http://h/a\n- {url: b/, destination: d/x}\nversion: 1\nbaseURL: https://x.y/z/\nroot: ~/r\n")
    print(m.files.map { "\($0.url) \($0.destination) \($0.line):\($0.column)" })
  }
}
