/// The digest algorithms that a manifest may name.
public enum DigestAlgorithm: UInt8, CaseIterable, Hashable, Sendable {
  /// RFC 1321, FIPS 180-4 and RFC 7693. The first two find accidents, not attacks.
  case md5, sha1, sha224, sha256, sha384, sha512, blake2b512

  /// The name as a manifest spells it.
  public var name: String {
    switch self {
    case .md5: "md5"
    case .sha1: "sha1"
    case .sha224: "sha224"
    case .sha256: "sha256"
    case .sha384: "sha384"
    case .sha512: "sha512"
    case .blake2b512: "blake2b-512"
    }
  }

  /// The digest's length in bytes.
  public var length: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512, .blake2b512: 64
    }
  }

  /// The algorithm of a name in any case, with or without the dash of `sha-256`; nil for an unknown one.
  public init?(name: String) {
    let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let found = Self.allCases.first(where: { $0.name.filter { $0 != "-" } == plain }) else { return nil }
    self = found
  }
}

/// A digest: an algorithm and exactly as many bytes as it gives.
public struct Digest: Hashable, Sendable {
  /// What made the bytes.
  public let algorithm: DigestAlgorithm
  /// The digest itself, `algorithm.length` bytes.
  public let bytes: [UInt8]

  /// A digest of these bytes, or nil when their number is not the algorithm's.
  public init?(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.length else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// A digest written in hexadecimal, either case, or nil when it is no such thing.
  public init?(_ algorithm: DigestAlgorithm, hex: some StringProtocol) {
    guard let bytes = Hex.decode(hex) else { return nil }
    self.init(algorithm, bytes: bytes)
  }

  /// Lower-case hexadecimal digits.
  public var hex: String { Hex.encode(bytes) }
}

extension Digest: CustomStringConvertible {
  /// `sha256:…`, the form that a manifest accepts.
  public var description: String { "\(algorithm.name):\(hex)" }
}

extension [Digest] {
  /// What is computed of a file that must have these digests: SHA-256 for the record first, then theirs.
  package var algorithms: [DigestAlgorithm] {
    var algorithms: [DigestAlgorithm] = [.sha256]
    for digest in self where !algorithms.contains(digest.algorithm) { algorithms.append(digest.algorithm) }
    return algorithms
  }
}
