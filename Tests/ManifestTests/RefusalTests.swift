import DLSyncManifest
import DLSyncModel
import Testing

/// One text and what is said of it, without the quoted lines: `LINE:COLUMN PATH: MESSAGE`.
struct Refusal: Sendable, CustomTestStringConvertible {
  let text: String
  let said: [String]

  init(_ text: String, _ said: String...) {
    self.text = text
    self.said = said
  }

  /// A value of one file key: line 3, behind `- {url: http://h/a, KEY: `.
  static func file(_ key: String, _ value: String, _ said: String, path: String? = nil, column: Int? = nil) -> Refusal {
    Refusal(
      "version: 1\nfiles:\n- {url: http://h/a, \(key): \(value)}",
      "3:\((column ?? 22 + key.count) + 1) files[0].\(path ?? key): \(said)")
  }

  /// A value of one queue key: line 3, `  KEY: VALUE`.
  static func queue(_ key: String, _ value: String, _ said: String, path: String? = nil, column: Int? = nil) -> Refusal
  {
    Refusal(
      "version: 1\nqueues: {q: {\n  \(key): \(value)}}\nfiles: []",
      "3:\(column ?? 5 + key.count) queues.q.\(path ?? key): \(said)")
  }

  var testDescription: String { text }
}

@Suite struct RefusalTests {
  @Test(arguments: documents + keys) func documentIsRefusedWithItsPlace(_ row: Refusal) {
    #expect(Reading.short(row.text) == row.said)
  }

  @Test(arguments: fileValues + checksums + destinations + urls + headers)
  func valueOfAFileIsRefusedWithItsPlace(_ row: Refusal) {
    #expect(Reading.short(row.text) == row.said)
  }

  @Test(arguments: queueValues + topLevel + variables) func valueOfTheHeadIsRefusedWithItsPlace(_ row: Refusal) {
    #expect(Reading.short(row.text) == row.said)
  }

  static let documents: [Refusal] = [
    .init("", "1:1 the manifest is empty"), .init("# nothing\n", "2:1 the manifest is empty"),
    .init("---\n", "2:1 the manifest is empty"), .init("null", "1:1 the manifest is empty"),
    .init("[]", "1:1 a manifest is a mapping of keys such as `version` and `files`, not a list"),
    .init("42", "1:1 a manifest is a mapping of keys such as `version` and `files`, not a text"),
    .init("{}", "1:1 the key `version` is missing", "1:1 the key `files` is missing"),
    .init("version: 1\nfiles: []\n---\nversion: 1\n", "3:1 a second document begins here; a manifest is one"),
    .init("version: 1\nfiles:\n\t- http://h/a\n", "3:1 a tab is used as indentation"),
    .init("version: 1\nfiles: ['http://h/a\n", "2:9 a quote begins here and is never closed"),
    .init("version: 1\nfiles: [http://h/a\n", "3:1 a `,` or `]` is missing before this"),
    .init("version: 1\nfiles: [a, , b]\n", "2:12 a value is missing before this"),
    .init("version: 1\nname: *.bin\nfiles: []\n", "2:8 a text without quotes cannot begin with `*` or `&`"),
    .init("version: 1\nfiles: [http://h/a", "2:19 a `,` or `]` is missing before this"),
    .init(
      "version: 1\nfiles:\n- url: http://h/a\n  desti",
      "4:8 a `:` is missing behind the key that stands before this"),
    .init("version: 1\nfiles: [{url: http://h/${a}}]\n", "2:25 a `,` or `}` is missing before this"),
    .init("version: 1\nname: a: b\nfiles: []\n", "2:8 a `:` stands where no key may be"),
    .init(
      #"{"version": 1, "files": ["http://h/\ud83d\ude00"]}"#,
      "1:38 the escape stands for no character; half of a pair, as in JSON, is none"),
    .init("version: 1\nname: @a\nfiles: []\n", "2:7 a text without quotes cannot begin with this character"),
    .init(
      "version: 1\nfiles:\n- a: *b\n", "3:3 files[0].a: the key `a` is not known here",
      "3:3 files[0]: the key `url` is missing", "3:6 the alias *b has no anchor before it"),
    .init(
      "version: 1\nfiles: []\nname: &n [*n]\n", "3:7 name: a text belongs here, not a list",
      "3:11 the alias *n stands inside the node that it refers to"),
    .init("version: 1\nfiles: &f []\nname: *f\n", "3:7 the alias *f refers to a part that is never kept whole"),
    .init("version: 1\nname: !include x\nfiles: []\n", "2:7 the tag \"!include\" means nothing in a manifest"),
    .init(
      "--- !a\nversion: 1\nfiles: !b\n- http://h/a\n", "1:5 the tag \"!a\" means nothing in a manifest",
      "3:8 the tag \"!b\" means nothing in a manifest"),
    .init(
      "version: 1\nname: " + String(repeating: "[", count: 70),
      "2:70 mappings and lists are nested deeper than 64 levels"),
  ]

  static let keys: [Refusal] = [
    .init(
      "version: 1\nversion: 1\nfiles: []\n", "2:1 version: the key `version` was given before, on line 1, column 1"),
    .init("version: 1\nfiles: []\n\"files\": []\n", "3:1 files: the key `files` was given before, on line 2, column 1"),
    .init(
      "version: 1\nvars:\n  1: a\n  \"1\": b\nfiles: []\n",
      "4:3 vars.1: the key `1` was given before, on line 3, column 3"),
    .init(
      "version: 1\nqueues: {a: {}, b: {}, a: {}}\nfiles: []\n",
      "2:24 queues.a: the key `a` was given before, on line 2, column 10"),
    .init(
      "version: 1\nfiles:\n- url: http://h/a\n  headers: {X-A: 1, x-a: 2}\n",
      "4:21 files[0].headers.x-a: the key `x-a` was given before, on line 4, column 13"),
    .init(
      "version: 1\nfiles:\n- url: http://h/a\n  matrix:\n    n: [1]\n    n: [2]\n",
      "6:5 files[0].matrix.n: the key `n` was given before, on line 5, column 5"),
    .init("version: 1\nfiles: []\nx: &d {a: b}\n", "3:1 x: the key `x` is not known here"),
    .init(
      "version: 1\nfiles:\n- url: http://h/a\n  <<: 5\n",
      "4:7 files[0].<<: a mapping to merge with `<<` belongs here, not a number"),
    .init(
      "version: 1\nfiles:\n- url: http://h/a\n  <<: [{}, [{}]]\n",
      "4:12 files[0].<<: a mapping to merge belongs here, not a list"),
    .init("version: 1\n? [a]\n: b\nfiles: []\n", "2:3 a key that is a text belongs here, not a list"),
    .init(
      "version: 1\ndefaults: {url: http://h/a}\nfiles: []\n",
      "2:12 defaults.url: the key `url` cannot have a default: each file has its own"),
    .init("version: 1\nfiles:\n- destination: x\n", "3:3 files[0]: the key `url` is missing"),
    .init(
      "version: 1\nfiles:\n- url: ~\n- url:\n", "3:8 files[0].url: a value is missing here",
      "4:7 files[1].url: a value is missing here"),
    .init(
      "version: 1\nfiles:\n-\n- [a]\n- 5\n", "3:2 files[0]: a URL or a mapping of file keys belongs here",
      "4:3 files[1]: a URL or a mapping of file keys belongs here, not a list",
      "5:3 files[2]: the URL is relative, and there is no `baseURL`"),
    .init("version: 1\nfiles: {a: b}\n", "2:8 files: a list of files belongs here, not a mapping"),
    .init("version: 1\nfiles: http://h/a\n", "2:8 files: a list of files belongs here, not a text"),
    .init("version: 1\nfiles:\n", "2:7 files: a value is missing here"),
  ]

  static let fileValues: [Refusal] =
    ["1.5", "-1", "1_000", "0x10", "1e3", "007", "1 KiBs", "KiB", "1kb", "99999999999999999999", "8388608T"].map {
      .file("size", $0, "\"\($0)\" is not a size")
    }
    + [
      "1.01", "-0.1", "1e1", "1e-", "e-1", "1e-1e-1", "1e-0x1", "-1e-1", "01e-2", "nan", ".inf", "high", "+1", "1.2.3",
      ".",
    ].map {
      .file("priority", $0, "\"\($0)\" is not a number from 0 to 1, such as `0.5`")
    }
    + [
      .file("permissions", "644", "the mode \"644\" could be read as a decimal number"),
      .file("permissions", "0o644", "\"0o644\" is not an octal mode such as `\"0644\"`"),
      .file("permissions", "\"08\"", "\"08\" is not an octal mode such as `\"0644\"`"),
      .file("permissions", "\"4755\"", "\"4755\" is not an octal mode up to `\"0777\"`"),
      .file("permissions", "rw-r--r--", "\"rw-r--r--\" is not an octal mode such as `\"0644\"`"),
      .file("onConflict", "overwrite", "\"overwrite\" is not `fail`, `replace` or `keep`"),
      .file("queue", "larg", "the queue \"larg\" is not declared"),
      .file("tags", "x", "a list of texts belongs here, not a text"),
      .file("tags", "[a, ~]", "a value is missing here", path: "tags[1]", column: 30),
      .file(
        "destination", "x, managed: true", "a file is `managed` or has a `destination`, not both", path: "managed",
        column: 45),
      .file("managed", "yes", "\"yes\" is not `true` or `false`"),
      .file("refresh", "sometimes", "\"sometimes\" is not `never`, `always` or a duration"),
      .file("contentEncoding", "gzip", "\"gzip\" is not `reject` or `keep`"),
      .file("modified", "then", "\"then\" is not `now` or `server`"),
      .file("matrix", "x", "a mapping from names to lists belongs here, not a text"),
      .file("mirrors", "http://h/b", "a list of URLs belongs here, not a text"),
      .file("notify", "{done: x}", "the key `done` is not known here", path: "notify.done", column: 29),
    ]

  private static let digest = String(repeating: "ab", count: 32)
  private static let form = "is not a sha256 digest, which has 64 hexadecimal digits"

  static let checksums: [Refusal] = [
    .file("checksum", "", "the checksum is empty", column: 30), .file("checksum", "\"\"", "the checksum is empty"),
    .file("checksum", "\" \"", "the checksum is empty"), .file("checksum", "[]", "the list of checksums is empty"),
    .file("checksum", "'${env:EMPTY}'", "the checksum is empty"),
    .file("checksum", "{}", "a checksum has a `value`, or comes `from` a list"),
    .file("checksum", "[~]", "a checksum is missing here", path: "checksum[0]", column: 31),
    .file("checksum", "[[a]]", "a checksum belongs here, not a list", path: "checksum[0]", column: 31),
    .file("checksum", "sha256:abc", "\"sha256:abc\" \(form)"),
    .file("checksum", "'sha256:'", "\"sha256:\" \(form)"),
    .file("checksum", "abcd", "\"abcd\" has 4 digits, as many as no algorithm gives"),
    .file("checksum", "hello", "\"hello\" is not a checksum"),
    .file(
      "checksum", "'crc32:\(digest)'",
      "the algorithm \"crc32\" is not known: it is `md5`, `sha1`, `sha224`, `sha256`, `sha384`, `sha512` or `blake2b-512`"
    ),
    .file("checksum", "sha256-AAAA", "\"sha256-AAAA\" \(form)"),
    .file("checksum", "'\(digest)  a.bin'", "\"\(digest.prefix(60))…\" is not a checksum"),
    .file(
      "checksum", "{algorithm: md5, value: 'sha256:\(digest)'}",
      "the value says sha256, the key `algorithm` says another", path: "checksum.value", column: 54),
    .file(
      "checksum", "{algorithm: sha3, value: \(digest)}",
      "the algorithm \"sha3\" is not known: it is `md5`, `sha1`, `sha224`, `sha256`, `sha384`, `sha512` or `blake2b-512`",
      path: "checksum.algorithm", column: 42),
    .file("checksum", "{from: ''}", "the place of the list is empty", path: "checksum.from", column: 37),
    .file("checksum", "{from: S, name: ''}", "the name in the list is empty", path: "checksum.name", column: 46),
    .file(
      "checksum", "{from: 'ftp://h/S'}", "the scheme \"ftp\" is not `http` or `https`", path: "checksum.from",
      column: 37
    ),
    .file(
      "checksum", "{from: S, value: \(digest)}", "a checksum has a `value` or comes `from` a list, not both",
      path: "checksum", column: 47),
    .file(
      "checksum", "{valu: x, value: \(digest)}", "the key `valu` is not known here", path: "checksum.valu", column: 31),
  ]

  static let destinations: [Refusal] = [
    .file("destination", "''", "the destination is empty"),
    .file("destination", "../x", "the destination leads out of `root`"),
    .file("destination", "a/../../x", "the destination leads out of `root`"),
    .file("destination", "'${env:SET}/../../x'", "the destination leads out of `root`"),
    .file("destination", "\"a\\0b\"", "the destination holds a NUL character"),
    .file("destination", "x/.", "the destination is a folder, not a file"),
    .file("destination", ".", "the destination is a folder, not a file"),
    .file("destination", "~/x", "`~` does not stand for the home folder in a destination"),
    .file("destination", "s3:bucket/x", "`s3:` is a remote or virtual place, not a path on this machine"),
    .file("destination", "WebDAV://h/x", "`webdav:` is a remote or virtual place, not a path on this machine"),
    .file("destination", "odd+x://h/x", "`odd+x:` is a remote or virtual place, not a path on this machine"),
    .init("version: 1\nfiles: [http://h/]\n", "2:9 files[0]: the URL's last path component cannot be a file's name"),
    .init(
      "version: 1\nfiles: [http://h/a%2Fb]\n", "2:9 files[0]: the URL's last path component cannot be a file's name"),
    .init(
      "version: 1\nfiles: [http://h/%2e%2e]\n", "2:9 files[0]: the URL's last path component cannot be a file's name"),
    .init(
      "version: 1\nfiles:\n- {url: http://h/a%00b, destination: d/}\n",
      "3:38 files[0].destination: the URL's last path component cannot be a file's name"),
  ]

  static let urls: [Refusal] = [
    ("ftp://h/x", "the scheme \"ftp\" is not `http` or `https`"), ("http://u:p@h/x", "the URL holds user information"),
    ("http://@h/x", "the URL holds user information"),
    ("'http://h/x#y'", "the URL has a fragment, which is never sent"),
    ("'http://h/x#'", "the URL has a fragment, which is never sent"), ("http:///x", "the URL has no host"),
    ("http://h:99999/x", "the URL's port is not a number from 1 to 65535"),
    ("http://h:abc/x", "the URL's port is not a number from 1 to 65535"),
    ("a/b", "the URL is relative, and there is no `baseURL`"),
    ("\"http://h/\\0\"", "the URL holds a control character"), ("''", "the URL is empty"),
    ("\"${env:SECRET}://h/x\"", "the URL has another scheme than `http` or `https`"),
    ("[a]", "a text belongs here, not a list"),
  ].map { .init("version: 1\nfiles:\n- url: \($0.0)\n", "3:8 files[0].url: \($0.1)") }

  static let headers: [Refusal] =
    ["Range", "if-range", "Accept-Encoding", "Host", "Content-Length", "Connection", "Transfer-Encoding"].map {
      .file(
        "headers", "{\($0): x}", "the header `\($0)` is dlsync's own and cannot be given", path: "headers.\($0)",
        column: 30)
    }
    + ["\"a b\"", "\"x:y\"", "ä"].map {
      .file("headers", "{\($0): x}", "a header's name holds a character that none may hold", column: 30)
    }
    + [
      .file("headers", "{\"\": x}", "a header's name is empty", column: 30),
      .file(
        "headers", "{X: \"a\\nb\"}", "the value of the header `X` holds a line break or another control character",
        path: "headers.X", column: 33),
      .file(
        "headers", "{X: \"a\\0b\"}", "the value of the header `X` holds a line break or another control character",
        path: "headers.X", column: 33),
      .file("headers", "{X: [a]}", "a text belongs here, not a list", path: "headers.X", column: 33),
      .file("headers", "{X: ~}", "the header `X` has no value", path: "headers.X", column: 33),
      .file("headers", "['X: a']", "a mapping from header names to values belongs here, not a list"),
    ]

  static let queueValues: [Refusal] = [
    .queue("mode", "front", "\"front\" is not `foreground` or `background`"),
    .queue("concurrency", "0", "\"0\" is not a whole number from 1 to 64"),
    .queue("concurrency", "65", "\"65\" is not a whole number from 1 to 64"),
    .queue("concurrency", "1.0", "\"1.0\" is not a whole number from 1 to 64"),
    .queue("concurrency", "99999999999999999999", "\"99999999999999999999\" is not a whole number from 1 to 64"),
    .queue("concurrency", "[1]", "a text belongs here, not a list"),
    .queue("connectionsPerFile", "17", "\"17\" is not a whole number from 1 to 16"),
    .queue("connectionsPerHost", "-1", "\"-1\" is not a whole number from 1 to 64"),
    .queue("chunkSize", "65535", "\"65535\" is not a size from 64KiB to 16MiB"),
    .queue("chunkSize", "17MiB", "\"17MiB\" is not a size from 64KiB to 16MiB"),
    .queue("chunkSize", "big", "\"big\" is not a size from 64KiB to 16MiB"),
    .queue("rate", "fast", "\"fast\" is not a rate: `unlimited`, or bytes a second such as `20MiB/s`"),
    .queue("rate", "1MiB/m", "\"1MiB/m\" is not a rate: `unlimited`, or bytes a second such as `20MiB/s`"),
    .queue("timeouts", "{connect: 0}", "\"0\" is not a duration longer than 0", path: "timeouts.connect", column: 23),
    .queue("timeouts", "{request: 1x}", "\"1x\" is not a duration", path: "timeouts.request", column: 23),
    .queue("timeouts", "{resource: 1s 1m}", "\"1s 1m\" is not a duration", path: "timeouts.resource", column: 24),
    .queue("timeouts", "{resource: 36501d}", "\"36501d\" is not a duration", path: "timeouts.resource", column: 24),
    .queue("timeouts", "{total: 1}", "the key `total` is not known here", path: "timeouts.total", column: 14),
    .queue(
      "retry", "{maxAttempts: 0}", "\"0\" is not a whole number from 1 to 100", path: "retry.maxAttempts", column: 24),
    .queue(
      "retry", "{statusCodes: 503}", "a list of status codes belongs here, not a number", path: "retry.statusCodes",
      column: 24),
    .queue(
      "retry", "{statusCodes: [503, 99]}", "\"99\" is not a whole number from 400 to 599", path: "retry.statusCodes[1]",
      column: 30),
    .queue("progressInterval", "99ms", "\"99ms\" is not a duration from 100ms to 10s"),
    .queue("progressInterval", "11", "\"11\" is not a duration from 100ms to 10s"),
    .queue("network", "{ipVersion: 5}", "\"5\" is not `4` or `6`", path: "network.ipVersion", column: 24),
    .queue(
      "network", "{interface: 'a b'}", "\"a b\" is not the name of a network interface", path: "network.interface",
      column: 24),
    .queue(
      "network", "{proxy: 'ftp://h'}", "this is not `none` or the URL of a proxy", path: "network.proxy", column: 20),
    .queue(
      "network", "{proxy: 'http://u:p@'}", "this is not `none` or the URL of a proxy", path: "network.proxy", column: 20
    ),
    .queue("tls", "{minVersion: 1.1}", "\"1.1\" is not `1.2` or `1.3`", path: "tls.minVersion", column: 21),
    .queue("tls", "{verify: false}", "the key `verify` is not known here", path: "tls.verify", column: 9),
    .queue("tls", "{caFile: ''}", "the path is empty", path: "tls.caFile", column: 17),
  ]

  static let topLevel: [Refusal] = [
    .init("version: 2\nfoo: 1\n", "1:10 version: version 2 is not one that this program reads; it reads version 1"),
    .init(
      "version: one\nfiles: []\n", "1:10 version: \"one\" is not the number of a version; this program reads version 1"),
    .init("version: 1\nname: -team/x\nfiles: []\n", "2:7 name: \"-team/x\" is not a name"),
    .init(
      "version: 1\nname: \(String(repeating: "n", count: 129))\nfiles: []\n",
      "2:7 name: \"\(String(repeating: "n", count: 60))…\" is not a name"),
    .init("version: 1\nroot: ''\nfiles: []\n", "2:7 root: the path is empty"),
    .init("version: 1\nroot: ~you/x\nfiles: []\n", "2:7 root: only `~` and `~/` stand for a home folder"),
    .init(
      "version: 1\nroot: s3://b/x\nfiles: []\n",
      "2:7 root: `s3:` is a remote or virtual place, not a path on this machine"),
    .init("version: 1\nbaseURL: x/y\nfiles: [a]\n", "2:10 baseURL: the URL is relative"),
    .init("version: 1\nqueues: []\nfiles: []\n", "2:9 queues: a mapping from names to queues belongs here, not a list"),
    .init("version: 1\nqueues: {q: 5}\nfiles: []\n", "2:13 queues.q: a mapping belongs here, not a number"),
    .init("version: 1\ndefaults: []\nfiles: []\n", "2:11 defaults: a mapping belongs here, not a list"),
    .init(
      "version: 1\nvars: {a: [1], \"b c\": 1}\nfiles: []\n", "2:11 vars.a: a text belongs here, not a list",
      "2:16 vars.b c: a variable's name is made of letters, digits, `_`, `-` and `.`"),
    .init(
      "version: 1\nfilesFrom: [{format: xml}]\n", "2:13 filesFrom[0]: the key `path` is missing",
      "2:22 filesFrom[0].format: \"xml\" is not `urls`, `ndjson`, `csv`, `tsv`, `aria2` or `sums`"),
  ]

  static let variables: [Refusal] =
    [
      ("${UNSET}", "the variable \"UNSET\" is not defined"), ("${HOME}", "the variable \"HOME\" is not defined"),
      ("${env:UNSET}", "the environment variable \"UNSET\" is not set"), ("${a", "a `${` is not closed"),
      ("${}", "`${}` names no variable"), ("${a b}", "`${a b}` names no variable"),
      ("${env:}", "`${env:}` names no variable"),
      ("${env:1A}", "`${env:1A}` names no variable"), ("${env:A:x}", "`${env:A:x}` names no variable"),
      ("${A:-x}", "the variable \"A\" cannot have a default here"),
    ].map { .init("version: 1\nfiles:\n- url: \"http://h/\($0.0)/x\"\n", "3:8 files[0].url: \($0.1)") } + [
      .init("version: 1\nvars: {b: '${a}', a: 1}\nfiles: []\n", "2:11 vars.b: the variable \"a\" is not defined"),
      .init(
        "version: 1\nvars: {a: '${env:UNSET}'}\nfiles: ['http://h/${a}']\n",
        "2:11 vars.a: the environment variable \"UNSET\" is not set"),
      .init(
        "version: 1\nfiles: ['http://h/${env:U1}${U2}']\n", "2:9 files[0]: the environment variable \"U1\" is not set",
        "2:9 files[0]: the variable \"U2\" is not defined"),
    ]
}
