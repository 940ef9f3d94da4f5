/// Small inputs of every kind that is read, for changing their bytes.
enum Samples {
  static let texts = [manifest, anchors, sums, signed, aria2, curl, metalink, table, json, lock]

  private static let digest = String(repeating: "2c", count: 32)

  private static let manifest = """
    version: 1
    name: m
    vars: { release: "1.10", host: "${env:SET}" }
    baseURL: https://h/tools/
    root: ./vendor
    queues:
      default: { concurrency: 4, rate: 20MiB/s, timeouts: { connect: 15s } }
      large: { mode: background, retry: { maxAttempts: 5, statusCodes: [500, 503] } }
    defaults: { permissions: "0644", headers: { X-A: b } }
    files:
      - https://h/readme.txt
      - url: tool-${release}-${arch}.tar.gz
        destination: bin/${arch}/
        matrix: { arch: [amd64, arm64] }
        checksum: { algorithm: sha256, from: SHA256SUMS, name: x }
      - url: https://h/model.bin
        mirrors: [https://m/model.bin]
        queue: large
        priority: 0.9
        size: 3 GiB
        checksum: sha256:\(digest)
        refresh: 1h
        notify: { success: done }
        tags: [a, b]

    """

  private static let anchors = """
    version: 1
    defaults: &d
      headers: &h { A: b, C: "d" }
      permissions: "0600"
    queues: { q: &q { concurrency: 1 }, r: { <<: *q, connectionsPerFile: 2 } }
    files: &f
      - &e { url: https://h/a, headers: { <<: [*h, *h], E: f } }
      - { <<: *e, destination: b }
      - url: "https://h/\\u00e9"
        destination: |-
          a
      - ? url
        : https://h/c
    filesFrom: [{ path: l.csv, tags: [t] }]

    """

  private static let sums = "\(digest)  a\n\(digest) *./x/b\nSHA512 (c) = 00\n\\\(digest)  a\\nb\n# c\n"
  private static let signed =
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n\(digest)  a\n- -x\n-----BEGIN PGP SIGNATURE-----\n\nAA\n-----END PGP SIGNATURE-----\n"
  private static let aria2 =
    "https://h/a\thttps://m/a\n  out=b\n  dir=/d\n  checksum=sha-256=\(digest)\n  header=X: y\n  split=4\n# c\nhttps://h/c\n"
  private static let curl =
    "url = \"https://h/a\"\noutput = \"a b\"\n-H \"X: y\"\n--limit-rate 1M\nnext\nurl https://h/c\nremote-name\noutput-dir d\n"
  private static let metalink = """
    <?xml version="1.0" encoding="UTF-8"?>
    <metalink xmlns="urn:ietf:params:xml:ns:metalink">
      <!-- c --><file name="d/a"><size>5</size><hash type="sha-256">\(digest)</hash>
        <url priority="1">https://h/a?b&amp;c</url><url><![CDATA[https://m/a]]></url></file>
    </metalink>

    """
  private static let table = "url,destination,size\nhttps://h/a,\"d,\"\"x\"\"\",5\nhttps://h/b,,\n"
  private static let json =
    "{\"url\":\"https://h/a\",\"headers\":{\"A\":\"\\u00e9\\ud83d\\ude00\"},\"size\":5}\nnull\n[1]\n"
  private static let lock =
    "lockVersion: 1\nfiles:\n  - destination: a\n    url: https://h/a\n    size: 5\n    sha256: \(digest)\n    etag: '\"x\"'\n"
}
