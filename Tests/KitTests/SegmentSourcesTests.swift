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

  /// Another origin on the way chose the last URL; asking it directly would bring the headers back.
  @Test func whatAnotherOriginChoseIsNotAskedWithTheHeaders() throws {
    #expect(try target("https://a.example/chosen-by-b", kept: false) == Self.own)
  }
}
