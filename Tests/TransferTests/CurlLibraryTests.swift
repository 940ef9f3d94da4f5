import DLSyncModel
import DLSyncThreading
import Testing

@testable import DLSyncTransfer

@Suite("libcurl is loaded when it is needed")
struct CurlLibraryTests {
  @Test func aMissingLibrarySaysWhatToDo() throws {
    let trouble = try #require(throws: DLSyncError.self) { try CurlLibrary("libcurl-that-is-not-there.so.4") }
    #expect(trouble.message.contains("libcurl could not be loaded"))
    #expect(trouble.hint?.contains("libcurl4") == true)
    #expect(trouble.details.underlying?.contains("libcurl-that-is-not-there.so.4") == true)
  }

  /// All have the name `libcurl.so.4`; an old one would leave out options without a word.
  @Test func anOldLibraryIsRefused() throws {
    let trouble = try #require(CurlLibrary.refusal(of: 0x074a00, "7.74.0"))
    #expect(trouble.message.contains("7.87") && trouble.message.contains("7.74.0") && trouble.hint != nil)
    #expect(CurlLibrary.refusal(of: 0x075700, "7.87.0") == nil && CurlLibrary.refusal(of: 0x080b00, "8.11.0") == nil)
  }

  @Test func everyTransferFailsWithoutIt() async throws {
    let trouble = DLSyncError(.internal, "libcurl could not be loaded")
    let transport = CurlTransport(.failure(trouble))
    defer { transport.stop() }
    let outcome = await transport.fetch(try Ask().request("http://127.0.0.1:9/file"))
    #expect(outcome.error == trouble)
  }
}
