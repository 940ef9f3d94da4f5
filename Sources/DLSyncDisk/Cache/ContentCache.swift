package import DLSyncModel
import Glibc

/// Bytes of finished files in a folder of their own, found by their digests: whoever wants the same bytes again, under
/// whatever URL and for whatever manifest, copies them from there.
///
/// `sha256/2c/2c26…` holds bytes. `sha512/…` and the like are links whose text names the SHA-256. `new` holds what is on its
/// way. Nothing that is there is trusted: every copy has to prove itself by the digest that it was found by.
package struct ContentCache: Sendable {
  /// An absolute path.
  package let folder: String

  package init(folder: String) { self.folder = folder }

  /// Whether bytes are looked for by digests of this kind: those of MD5 and SHA-1 can be made to order.
  package static func finds(_ algorithm: DigestAlgorithm) -> Bool { algorithm != .md5 && algorithm != .sha1 }

  /// The bytes that have a digest, as they lie there; nil where there are none. Blocks for a look at one name.
  package func find(_ digest: Digest) -> CopySource? {
    guard Self.finds(digest.algorithm) else { return nil }
    let place = path(of: digest)
    guard digest.algorithm == .sha256 else { return linked(place).flatMap(find) }
    var found = stat()
    guard lstat(place, &found) == 0, found.isRegularFile else { return nil }
    let file = PublishedFile(fingerprint: digest, identity: FileIdentity(found), recordedAt: .now)
    return CopySource(path: place, published: file)
  }

  /// Whether a path is one of this cache.
  package func holds(_ path: String) -> Bool { path.beginsBytewise(with: folder + "/sha256/") }

  /// Bytes that turned out not to be what their name says go, unless somebody put others there meanwhile.
  package func drop(_ source: CopySource) {
    var found = stat()
    guard holds(source.path), lstat(source.path, &found) == 0,
      FileIdentity(found).isUntouched(since: source.published.identity)
    else { return }
    unlink(source.path)
  }

  /// Where bytes of a digest lie, or the link to them.
  func path(of digest: Digest) -> String {
    let hex = digest.hex
    return "\(folder)/\(digest.algorithm.name)/\(hex.prefix(2))/\(hex)"
  }

  /// The SHA-256 that a link names.
  func linked(_ path: String) -> Digest? {
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer -> String? in
      let length = readlink(path, buffer.baseAddress!, 128)
      guard length > 0 else { return nil }
      return String(validating: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return text.flatMap { Digest(.sha256, hex: $0.split(separator: "/").last ?? "") }
  }
}
