import DLSyncManifest
import DLSyncModel
import Testing

/// Defaults, merge keys, anchors, queues and variables.
@Suite struct InheritanceTests {
  @Test func entriesInheritDefaultsAndMergeHeaders() throws {
    let manifest = try Reading.manifest(
      """
      version: 1
      queues: {q: {}}
      defaults: {permissions: '0600', queue: q, onConflict: keep, headers: {X-A: d, X-B: d}, size: 7, tags: [d]}
      files:
        - {url: http://h/a}
        - {url: http://h/b, permissions: '0644', queue: default, headers: {x-b: e, X-C: e}, size: null}
        - http://h/c
      """)
    let files = manifest.files
    #expect(files.map(\.options.permissions) == [0o600, 0o644, 0o600])
    #expect(files.map(\.queue.text) == ["q", "default", "q"])
    #expect(files.map(\.size) == [ByteCount(7), ByteCount(7), ByteCount(7)])
    #expect(files[1].options.headers == [HeaderField("X-A", "d"), HeaderField("x-b", "e"), HeaderField("X-C", "e")])
    #expect(files[0].options === files[2].options)
    #expect(files[0].options.headers == [HeaderField("X-A", "d"), HeaderField("X-B", "d")])
  }

  @Test func equalOptionsAreOneObject() throws {
    let manifest = try Reading.manifest(
      "version: 1\nfiles:\n"
        + (0..<9).map { "- {url: http://h/\($0), permissions: '060\($0 % 3)', headers: {A: b}}\n" }.joined())
    #expect(Set(manifest.files.map { ObjectIdentifier($0.options) }).count == 3)
  }

  @Test func mergeKeysGiveWhatOwnKeysDoNot() throws {
    let manifest = try Reading.manifest(
      """
      version: 1
      queues:
        a: &q {concurrency: 1, retry: {maxAttempts: 2}}
        b: {<<: *q}
        c: {<<: *q, retry: {maxAttempts: 1}}
      files:
        - &d {url: http://h/a, destination: a, headers: {X-K: d}, priority: 0.1}
        - &e {url: http://h/b, destination: b, headers: {X-K: e}, size: 5}
        - {<<: [*d, *e], url: http://h/c, destination: c}
        - {destination: d, !!merge <<: {<<: *e}}
      """)
    #expect(manifest.queues.map { $0.configuration.retry.maxAttempts } == [3, 2, 2, 1])
    #expect(manifest.queues.map { $0.configuration.concurrency } == [3, 1, 1, 1])
    #expect(manifest.files.map { $0.options.headers[0].value } == ["d", "e", "d", "e"])
    #expect(manifest.files.map(\.priority) == [0.1, 0.5, 0.1, 0.5])
    #expect(manifest.files.map { $0.size?.bytes } == [nil, 5, 5, 5])
  }

  @Test func aliasesStandForTextsAndLists() throws {
    let manifest = try Reading.manifest(
      "version: 1\nfiles:\n- {url: &u http://h/a, checksum: &c ['\(String(repeating: "0", count: 64))'], tags: &t [k]}\n- {url: *u, destination: y, tags: *t, checksum: *c}\n- *u\n"
    )
    #expect(manifest.files.map(\.url.text) == ["http://h/a", "http://h/a", "http://h/a"])
    #expect(manifest.files.map(\.checksums.count) == [1, 1, 0])
  }

  @Test func filesMayComeBeforeWhatTheyNeed() throws {
    let manifest = try Reading.manifest(
      "files:\n- {url: a, queue: q, destination: '${v}'}\n- &x {url: b}\n- {<<: *x, destination: c}\nqueues: {q: {}}\nvars: {v: w}\nbaseURL: http://h/\nname: n\nroot: /r\ndefaults: {priority: 1}\nversion: 1\n"
    )
    #expect(manifest.files.map(\.destination.path) == ["/r/w", "/r/b", "/r/c"])
    #expect(manifest.files.map(\.priority) == [1, 1, 1])
    #expect(manifest.files[0].id == TaskID(scope: Scope("n"), queue: QueueName("q"), destination: "/r/w"))
  }

  @Test func filesMayBeAMergedList() throws {
    let manifest = try Reading.manifest("version: 1\n<<: {files: [http://h/a, {url: http://h/b}]}\n")
    #expect(manifest.files.map(\.destination.path) == ["/work/a", "/work/b"])
  }

  @Test func variablesAreFilledInOnce() throws {
    for (value, expected) in [
      ("${a}", "1.10"), ("${b}", "1.10-x"), ("${given}", "${a}"), ("${env:SET}", "yes"),
      ("${env:U:-fall back}", "fall back"),
      ("${env:U:-}x", "x"), ("${env:EMPTY:-d}", "d"), ("${env:EMPTY}", ""), ("$${env:HOME}", "${env:HOME}"),
      ("$$${a}", "$${a}"), ("a$b $5 $", "a$b $5 $"), ("$$", "$$"), ("${over}", "told"), ("${1}", "one"),
    ] {
      let manifest = try Reading.manifest(
        "version: 1\nvars: {a: 1.10, b: '${a}-x', over: '${env:UNSET}', none: , 1: one}\nfiles:\n- url: http://h/a\n  headers: {X: \"\(value)\"}\n",
        variables: ["given": "${a}", "over": "told"])
      #expect(manifest.files[0].options.headers == [HeaderField("X", expected)], "\(value)")
    }
  }

  @Test func queueTakesEveryKey() throws {
    let manifest = try Reading.manifest(
      """
      version: 1
      vars: {host: proxy.example, nic: eth0}
      queues:
        large:
          mode: foreground
          concurrency: 2
          connectionsPerFile: "4"
          connectionsPerHost: 64
          chunkSize: 4MiB
          rate: 20MiB/s
          timeouts: { connect: 15s, request: 1m 30s, resource: 6h }
          retry: { maxAttempts: 5, baseDelay: 0, maxDelay: 500ms, statusCodes: [503, 429, 503] }
          progressInterval: 10
          network: { allowMetered: true, interface: '${nic}', ipVersion: 4, proxy: 'http://u:p@${host}:3128' }
          tls: { caFile: ca.pem, clientCertificate: ~/c.pem, clientKey: /k.pem, minVersion: 1.3 }
        small: { rate: 0, network: { proxy: none } }
        empty:
      files: []
      """)
    var large = QueueConfiguration()
    large.concurrency = 2
    large.connectionsPerFile = 4
    large.connectionsPerHost = 64
    large.chunkSize = ByteCount(4 << 20)
    large.rate = ByteCount(20 << 20)
    large.timeouts.request = .seconds(90)
    large.timeouts.resource = .seconds(6 * 3600)
    large.retry.maxAttempts = 5
    large.retry.baseDelay = .zero
    large.retry.maxDelay = .milliseconds(500)
    large.retry.statusCodes = [429, 503]
    large.progressInterval = .seconds(10)
    large.network.interface = "eth0"
    large.network.ipVersion = .v4
    large.network.proxy = .url("http://u:p@proxy.example:3128")
    large.tls.caFile = "/work/ca.pem"
    large.tls.clientCertificate = "/home/me/c.pem"
    large.tls.clientKey = "/k.pem"
    large.tls.minVersion = .v1_3
    #expect(manifest.queue(QueueName("large"))?.configuration == large)
    #expect(manifest.queue(QueueName("small"))?.configuration.network.proxy == QueueConfiguration.Network.Proxy.none)
    #expect(manifest.queue(QueueName("empty"))?.configuration == QueueConfiguration())
    #expect(manifest.queues.map(\.name.text) == ["default", "large", "small", "empty"])
  }

  @Test func queuesAreLimited() throws {
    func text(_ count: Int) -> String {
      "version: 1\nqueues:\n" + (0..<count).map { "  q\($0): {}\n" }.joined() + "files: []\n"
    }
    #expect(try Reading.manifest(text(63)).queues.count == 64)
    #expect(Reading.short(text(65)) == ["66:3 queues: a manifest has at most 64 queues, `default` included"])
  }

  @Test func harmlessKeysOfLaterReleasesAreTaken() throws {
    let manifest = try Reading.manifest(
      "version: 1\nnotify: {}\nfiles:\n- {url: http://h/a, managed: false, refresh: never, contentEncoding: reject, modified: now, tags: [a, 1], mirrors: null, matrix: ~}\n"
    )
    #expect(manifest.files.count == 1)
  }
}
