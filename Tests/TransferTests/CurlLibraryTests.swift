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

  @Test func everyTransferFailsWithoutIt() async throws {
    let trouble = DLSyncError(.internal, "libcurl could not be loaded")
    let transport = CurlTransport(.failure(trouble))
    defer { transport.stop() }
    let outcome = await transport.fetch(try Ask().request("http://127.0.0.1:9/file"))
    #expect(outcome.error == trouble)
  }
}
