import DLSyncModel
import DLSyncTestSupport
import DLSyncThreading
import Glibc
import Testing

@testable import DLSyncDisk

@Suite struct ContentCacheTests {
  private let scratch: Scratch
  private let cache: ContentCache
  private let bytes = Array("some bytes".utf8)

  init() throws {
    scratch = try Scratch()
    cache = ContentCache(folder: scratch("a/cache"))
    try scratch.file("f", bytes)
  }

  private func published() throws -> (Destination, PublishedFile) {
    let entry = try scratch.entry("f")
    var reader = FileReader()
    let seen = reader.read(entry.destination, [.sha256])
    guard case .file(let identity) = seen.observation, let digest = seen.digests?[.sha256] else {
      throw SupportError.system("read")
    }
    return (entry.destination, PublishedFile(fingerprint: digest, identity: identity, recordedAt: .now))
  }

  private func add(_ writer: CacheWriter, digests: [Digest] = [], leaving: Int64 = 0) throws -> Digest {
    let (place, file) = try published()
    try writer.add(place, file, digests: digests, leaving: leaving, cancel: CancelToken())
    return file.fingerprint
  }

  @Test func nothingIsFoundBeforeItIsDurable() throws {
    let writer = CacheWriter(cache)
    let digest = try add(writer)
    #expect(cache.find(digest) == nil)
    try writer.seal()
    let found = try #require(cache.find(digest))
    #expect(found.published.fingerprint == digest && found.published.identity.size == Int64(bytes.count))
    #expect(scratch.names("a/cache/new").isEmpty)
    #expect(scratch.status("a/cache")!.st_mode & 0o777 == 0o700)
    #expect(scratch.status(String(found.path.dropFirst(scratch.path.count + 1)))!.st_mode & 0o777 == 0o400)
  }

  @Test func theSameBytesAreTakenOnce() throws {
    let writer = CacheWriter(cache)
    _ = try add(writer)
    let digest = try add(writer)
    try writer.seal()
    let first = cache.find(digest)?.published.identity.inode
    _ = try add(writer)
    try writer.seal()
    #expect(cache.find(digest)?.published.identity.inode == first)
    #expect(cache.usage().count == 1)
  }

  @Test func oneFileThatCannotBeNamedTakesNoOtherWithIt() throws {
    let writer = CacheWriter(cache)
    var digests: [Digest] = []
    for number in 0..<10 {
      try scratch.file("f", Array("number \(number)".utf8))
      digests.append(try add(writer))
    }
    // Something of somebody's is where the first one's bytes belong.
    let hex = digests[0].hex
    for folder in ["a/cache/sha256", "a/cache/sha256/\(hex.prefix(2))", "a/cache/sha256/\(hex.prefix(2))/\(hex)"]
    where !scratch.exists(folder) { try scratch.folder(folder) }
    #expect(throws: DLSyncError.self) { try writer.seal() }
    #expect(cache.find(digests[0]) == nil)
    for digest in digests.dropFirst() { #expect(cache.find(digest) != nil) }
    #expect(scratch.names("a/cache/new").isEmpty && writer.isSealed)
  }

  @Test func weakDigestsFindNothing() throws {
    let writer = CacheWriter(cache)
    let weak = try #require(Digest(.md5, bytes: Array(repeating: 1, count: 16)))
    let strong = try #require(Digest(.sha512, bytes: Array(repeating: 2, count: 64)))
    let digest = try add(writer, digests: [weak, strong])
    try writer.seal()
    #expect(cache.find(weak) == nil)
    #expect(cache.find(strong)?.published.fingerprint == digest)
  }

  @Test func whatRunningFilesNeedIsLeft() throws {
    let writer = CacheWriter(cache)
    let digest = try add(writer, leaving: .max)
    try writer.seal()
    #expect(cache.find(digest) == nil)
  }

  @Test func writersThatAreGoneLeaveNothingForLong() throws {
    let abandoned = CacheWriter(cache)
    _ = try add(abandoned)
    #expect(scratch.names("a/cache/new").count == 1)
    try scratch.file("a/cache/new/1-1", bytes)
    let writer = CacheWriter(cache)
    let digest = try add(writer)
    #expect(!scratch.exists("a/cache/new/1-1"))
    #expect(scratch.names("a/cache/new").count == 2, "who is at work keeps what it has")
    try writer.seal()
    #expect(cache.find(digest) != nil)
    withExtendedLifetime(abandoned) {}
  }

  @Test func onlyItsOwnFilesAreCleared() throws {
    let writer = CacheWriter(cache)
    let strong = try #require(Digest(.sha512, bytes: Array(repeating: 2, count: 64)))
    _ = try add(writer, digests: [strong])
    try writer.seal()
    try scratch.file("a/cache/mine", bytes)
    try scratch.file("a/cache/sha256/mine", bytes)
    let gone = cache.clear()
    #expect(gone.count == 1 && gone.bytes == ByteCount(Int64(bytes.count)))
    #expect(scratch.names("a/cache") == ["mine", "sha256"])
    #expect(scratch.names("a/cache/sha256") == ["mine"])
  }

  @Test func aChangedEntryIsDroppedOnlyWhileItIsThatOne() throws {
    let writer = CacheWriter(cache)
    let digest = try add(writer)
    try writer.seal()
    let found = try #require(cache.find(digest))
    let other = FileIdentity(device: 1, inode: 1, size: 1, modified: 1, changed: 1, mode: 0)
    let published = PublishedFile(fingerprint: digest, identity: other, recordedAt: .now)
    cache.drop(CopySource(path: found.path, published: published))
    #expect(cache.find(digest) != nil)
    cache.drop(found)
    #expect(cache.find(digest) == nil)
  }
}
