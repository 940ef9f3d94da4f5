import DLSyncModel
import DLSyncTransfer
import Testing

@testable import DLSyncKit

@Suite("Where ranges are asked")
struct SegmentSourcesTests {
  private static let own = "https://a.example/start"
  private static let secret = [HeaderField("Authorization", "Bearer secret")]

  private func target(_ final: String, kept: Bool, headers: [HeaderField] = secret) throws -> String {
    let source = FetchSource(url: try SourceURL(Self.own), headers: headers)
    var sources = SegmentSources(source, mirrors: [], limit: 4, provesWhole: false)
    sources.begin(
      ResponseFacts(
        statusCode: 200, finalURL: try SourceURL(final), total: 10, offset: 0, validator: nil, acceptsRanges: true,
        headers: [], contentType: nil, keptHeaders: kept))
    return sources[0].url.text
  }

  @Test func theFinalURLIsAskedDirectly() throws {
    #expect(try target("https://a.example/moved", kept: true) == "https://a.example/moved")
    #expect(try target("https://b.example/moved", kept: false) == "https://b.example/moved", "without the headers")
    #expect(try target("https://a.example/moved", kept: false, headers: []) == "https://a.example/moved")
  }

  /// Whoever comes without the cookie that a redirect sets, or a second time, is refused.
  @Test func aTargetThatNeverServedWhoAskedItDirectlyIsTheLast() throws {
    let (first, second) = (try SourceURL("https://b.example/1"), try SourceURL("https://b.example/2"))
    var sources = try redirected(to: first)
    sources.forget(first, of: 0)
    #expect(sources[0].url.text == Self.own)
    try sources.accept(facts(second), from: 0, asked: try SourceURL(Self.own))
    #expect(sources[0].url.text == Self.own)
  }

  @Test func aTargetThatServedForAWhileIsFollowedByTheNext() throws {
    let (first, second) = (try SourceURL("https://b.example/1"), try SourceURL("https://b.example/2"))
    var sources = try redirected(to: first)
    try sources.accept(facts(first), from: 0, asked: first)
    sources.forget(first, of: 0)
    try sources.accept(facts(second), from: 0, asked: try SourceURL(Self.own))
    #expect(sources[0].url == second)
  }

  private func redirected(to target: SourceURL) throws -> SegmentSources {
    let source = FetchSource(url: try SourceURL(Self.own), headers: [])
    var sources = SegmentSources(source, mirrors: [], limit: 4, provesWhole: false)
    sources.begin(facts(target))
    return sources
  }

  private func facts(_ url: SourceURL) -> ResponseFacts {
    ResponseFacts(
      statusCode: 206, finalURL: url, total: 10, offset: 0, validator: .entityTag("\"v\""), acceptsRanges: true,
      headers: [], contentType: nil, keptHeaders: true)
  }

  /// Another origin on the way chose the last URL; asking it directly would bring the headers back.
  @Test func whatAnotherOriginChoseIsNotAskedWithTheHeaders() throws {
    #expect(try target("https://a.example/chosen-by-b", kept: false) == Self.own)
  }
}
