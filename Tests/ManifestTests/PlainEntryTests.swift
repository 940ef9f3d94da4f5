import DLSyncModel
import Testing

@testable import DLSyncManifest

/// Entries that are read without libyaml say what they would say with it, and what leaves a doubt is not taken.
@Suite struct PlainEntryTests {
  private func decode(_ text: String, plainly: Bool) -> [String] {
    var context = ManifestContext(source: "m.yaml", canonicalPath: "/work/m.yaml")
    context.readsPlainEntries = plainly
    do throws(ManifestError) {
      let manifest = try ManifestDecoder(context: context).decode(Array(text.utf8))
      return manifest.files.map { "\($0.line):\($0.column) \($0.url.text) \($0.destination) \($0.priority)" }
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  /// How many entries of a list were taken.
  private func taken(_ list: String) -> Int {
    let bytes = Array(list.utf8)
    return bytes.withUnsafeBufferPointer { buffer in
      var entries = PlainEntries(buffer, at: 0, line: 1)
      var count = 0
      let tree = Tree()
      while entries.next(into: tree) {
        count += 1
        tree.clear()
      }
      return count
    }
  }

  @Test(
    arguments: [
      ("- url: a\n  size: 5\n- b\n- url: 'c'\n", 3), ("- a\n- b", 2), ("  - a\n  - b\nqueues:\n", 2), ("", 0),
      ("\n- a\n", 0),
      ("- a\n  b\n", 0), ("- url: a\n   size: 5\n", 0), ("- url: a # c\n", 0), ("- url: a\n# c\n- b\n", 0),
      ("- &a b\n", 0),
      ("- url: {a: b}\n", 0), ("- url: a: b\n", 0), ("- url: \"a\\n\"\n", 0), ("- url:\n    a\n", 0),
      ("- url: a \n", 0),
      ("- a\n - b\n", 0), ("- a\n- b\n - c\n", 1), ("- a\r\n", 0), ("- a\n---\n", 0), ("- a\n...\n", 0),
      ("- \u{e9}\n", 0),
      ("- a\nword\n", 0), ("- url: a\n  size: 5\n  headers:\n    A: b\n- c\n", 0),
      ("- a\n- url: b\n  headers: {A: b}\n", 1),
      ("- {url: a}\n- { url: 'b, c}', size: 5 }\n- {url: http://h:1/a%20b?, size: 5}\n", 2),
      ("- {url: \"a\", size: 5}", 1),
      ("- {url: a}\n- url: b\n  size: 5\n- c\n", 3), ("- {url: a} # c\n", 0), ("- {url: a }\n", 1),
      ("- {url: a , size: 5}\n", 1),
      ("- {url: 'a''b'}\n", 0), ("- {url: a b}\n", 0), ("- {url: a,size: 5}\n", 0), ("- {url: [a]}\n", 0),
      ("- {}\n", 0),
      ("- {url: a, }\n", 0), ("- {url:a}\n", 0), ("- {url: a:}\n", 0), ("- {url: a:b}\n", 1), ("- {url: a\n  }\n", 0),
      ("- {url: ${a}}\n", 0), ("- {url: a}\n  size: 5\n", 0), ("- {url: a}: b\n", 0), ("- {'url': a}\n", 0),
      ("- {url: \"a\\n\"}\n", 0),
      ("- {url: a#b}\n", 0), ("- {url: *a}\n", 0), ("- {url: a}\n\n", 0), ("- {url: a}\n- {url: b\n", 1),
      ("- {url: a}\nqueues:\n", 1),
      ("- a:\n", 0), ("- -1\n", 0), ("- a\n\n- b\n", 0),
    ])
  func onlyWhatLeavesNoDoubtIsTaken(_ list: String, _ count: Int) {
    #expect(taken(list) == count)
  }

  @Test(
    arguments: [
      "- https://h/a\n- url: https://h/b\n  destination: \"x y\"\n  priority: 0.25\n",
      "- https://h/a\n- {url: https://h/b}\n- https://h/c\n", "- https://h/a\n- https://h/b\nqueues: {q: {}}\n",
      "- https://h/a\n- url: https://h/b\n  sise: 5\n- https://h/c\nqueues:\n  q: {concurrency: 99}\n",
      "- {url: https://h/a, sise: 5, priority: 0.25}\n- { url: 'https://h/b?c, d', url: c }\n- {url: https://h/c}\n",
      "- {url: https://h/a, destination: x}\n- {url: https://h/a, destination: x, size: '7'}\n- {url: https://h/b\n",
      "- https://h/a\n- https://h/b\n  c\n", "- https://h/a\n- https://h/b\n  [\n",
      "- https://h/a\n- &x https://h/b\n- *x\n",
      "- https://h/a\n- url: b\n  url: c\nbaseURL: https://h/\n", "- https://h/a\n- https://h/b\nnope: \"\n",
    ])
  func placesAndErrorsAreThoseOfLibyaml(_ list: String) {
    for head in ["version: 1\nfiles:\n", "# c\nversion: 1\nroot: \"a\n  b\"\nfiles:\n", "{version: 1,\nfiles:\n"] {
      #expect(decode(head + list, plainly: true) == decode(head + list, plainly: false))
    }
  }
}
