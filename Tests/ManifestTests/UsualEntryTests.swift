import DLSyncModel
import Testing

@testable import DLSyncManifest

/// Entries that are packed as they are written say what the full rules make of them.
@Suite struct UsualEntryTests {
  private static let digest = String(repeating: "0aF9", count: 16)
  private static let urls = [
    "https://h.example/a", "http://h:8080/a?b=c%20d", "HTTP://H/a", "https://h/a/../b", "https://h/$a", "https://h",
    "https://h/\u{e9}", "a", "https://h:443/a", "https://u@h/a",
  ]
  private static let destinations = [
    "a", "d/e.bin", "/abs/x", "d/", ".", "./a", "d//e", "d/../e", "~/x", "s3://b/k", "c:d", "\u{e9}", "${x}", "$",
    "a\u{7f}",
    "null", "~", "d/.hidden", " a",
  ]
  private static let checksums = ["sha256:" + digest, digest, "SHA256:" + digest, "sha256:12", "md5:12", "null", "~"]

  private final class Text: ListStream {
    private var rest: ArraySlice<UInt8>
    init(_ text: String) { rest = Array(text.utf8)[...] }
    func read() throws(DLSyncError) -> [UInt8] {
      defer { rest = rest.dropFirst(61) }
      return Array(rest.prefix(61))
    }
  }

  /// What comes of a manifest.
  private func decode(_ text: String, list: String = "", isUsual: Bool) -> [String] {
    var context = ManifestContext(
      source: "m.yaml", canonicalPath: "/work/m.yaml",
      openList: { (path) throws(DLSyncError) in Text(list) })
    context.readsPlainEntries = isUsual
    do throws(ManifestError) {
      let manifest = try ManifestDecoder(context: context).decode(Array(text.utf8))
      return manifest.files.map { file in
        "\(file.line):\(file.column) \(file.id) \(file.url.text) \(file.destination) \(file.rootByteCount) \(file.queue) "
          + "\(file.checksums) \(String(describing: file.size)) \(file.priority) \(file.options.settings)"
      }
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  private static let heads = [
    "", "root: /\n", "defaults: {managed: true}\n",
    "defaults: {checksum: 'md5:\(String(repeating: "0", count: 32))'}\n",
    "baseURL: https://base/\ndefaults: {priority: 0.75, size: 7, tags: [t], queue: q}\nqueues: {q: {}}\n",
  ]

  @Test(arguments: heads) func aListIsReadAsTheFullRulesReadIt(_ head: String) {
    let manifest = "version: 1\n\(head)filesFrom: [{path: l, format: FORMAT}]\nfiles: []\n"
    for (format, separator) in [("tsv", "\t"), ("csv", ",")] {
      for url in Self.urls {
        for destination in Self.destinations + ["", "\"q\""] {
          let rows = (Self.checksums + ["", "x\(separator)y"]).map {
            [destination, url, $0].joined(separator: separator)
          }
          for row in [rows[0], rows[(url.utf8.count + destination.utf8.count) % rows.count]] {
            let list = ["destination", "url", "checksum"].joined(separator: separator) + "\n\(row)\r\n\n\(row)x"
            let text = manifest.replacing("FORMAT", with: format)
            #expect(decode(text, list: list, isUsual: true) == decode(text, list: list, isUsual: false))
          }
        }
      }
    }
  }

  @Test(arguments: heads) func aDocumentIsReadAsTheFullRulesReadIt(_ head: String) {
    for url in Self.urls {
      for destination in Self.destinations {
        let checksum = Self.checksums[(url.utf8.count + destination.utf8.count) % Self.checksums.count]
        for quote in ["", "'"] {
          let pairs =
            "url: '\(url)', destination: \(quote)\(destination)\(quote), checksum: \(quote)\(checksum)\(quote)"
          let text = "version: 1\n\(head)files:\n  - {\(pairs)}\n  - {\(pairs), url: a}\n  - url: \(url)\n"
          #expect(decode(text, isUsual: true) == decode(text, isUsual: false))
          let single = "version: 1\n\(head)files:\n  - {\(pairs)}\n"
          #expect(decode(single, isUsual: true) == decode(single, isUsual: false))
        }
      }
    }
  }

  @Test func mostLinesOfATableAreUsual() throws {
    func texts(_ line: String, _ names: [String], _ separator: Character = "\t") -> [String]? {
      let columns = UsualColumns(names.map { Array($0.utf8)[...] }, separator: separator.asciiValue!)
      return Array(line.utf8).withUnsafeBytes { line in
        columns?.texts(of: line).map { texts in
          [texts.url, texts.destination, texts.checksum].map { String(decoding: $0, as: UTF8.self) }
        }
      }
    }
    let names = ["destination", "url", "checksum"]
    #expect(texts("a\thttp://h/\tc", names) == ["http://h/", "a", "c"])
    #expect(texts("a,http://h/", ["destination", "url"], ",") == ["http://h/", "a", ""])
    #expect(texts("\t\t", names) == ["", "", ""])
    #expect(texts("a\tb", names) == nil && texts("a\tb\tc\td", names) == nil && texts("", names) == nil)
    #expect(texts("a,\"b\"", ["url", "destination"], ",") == nil && texts("\u{e9}\tb\tc", names) == nil)
    #expect(texts("a\t5", ["url", "size"]) == nil)
  }
}
