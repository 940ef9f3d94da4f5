import DLSyncThreading
import Testing

@testable import DLSyncTransfer

@Suite("What is left of a transport") struct CurlTransportTests {
  @Test(arguments: [true, false]) func nothingOnceItIsStopped(withItsThread: Bool) async throws {
    let server = LoopbackServer { _ in [reply(body: sample(10))] }
    defer { server.stop() }
    weak var loop: CurlLoop?
    do {
      let made = CurlLoop(try CurlLibrary.loaded.get())
      loop = made
      let transport = CurlTransport(.success(made))
      #expect(await transport.fetch(try Ask().request(server.base + "/a")).length == 10)
      if withItsThread {
        transport.stop()
      } else {
        // Whoever stops the thread alone leaves a loop that nobody runs any more.
        transport.executor.stop()
        try await Task.sleep(for: .milliseconds(300))
      }
    }
    for _ in 0..<500 where loop != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(loop == nil, "its multi handle and its connections stay open")
  }
}
