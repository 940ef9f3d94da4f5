package import DLSyncModel
import DLSyncSystem
package import DLSyncThreading
package import DLSyncTransfer

/// A transport without a network, for tests of what drives transfers: a script answers, and the judge, the body's
/// accounting and the outcomes are those of the real one. One contract suite runs for both.
package final class ScriptedTransport: Transport {
  /// What the script answers to one request.
  package struct Answer: Sendable {
    package enum Ending: Sendable {
      /// The body ends where it ends, as framing or a closed connection would tell.
      case orderly
      /// The connection is lost.
      case lost
      /// Nothing more comes until the transfer is cancelled.
      case silence
      /// The transfer fails with this, whatever came.
      case failure(DLSyncError)
    }

    package var head: ResponseHead
    package var body: [UInt8]
    package var ending: Ending
    /// How long the script waits before each piece of 16 KiB; transfers run side by side only where it does.
    package var pause: Duration

    package init(_ head: ResponseHead, body: [UInt8] = [], ending: Ending = .orderly, pause: Duration = .zero) {
      self.head = head
      self.body = body
      self.ending = ending
      self.pause = pause
    }
  }

  /// Gets the request and how many came for its URL before it.
  package typealias Script = @Sendable (TransferRequest, Int) -> Answer

  package let executor = ThreadExecutor(name: "scripted")
  private let desk: Desk

  package init(_ script: @escaping Script) { desk = Desk(executor: executor, script: script) }

  package func fetch(_ request: TransferRequest) async -> TransferOutcome { await desk.fetch(request) }

  /// Ends the thread; nothing may be fetched afterwards.
  package func stop() { executor.stop() }

  private actor Desk {
    private static let pieceSize = 16 * 1024

    private let executor: ThreadExecutor
    private let script: Script
    private let pool = BufferPool()
    private var counts: [String: Int] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(executor: ThreadExecutor, script: @escaping Script) {
      self.executor = executor
      self.script = script
    }

    func fetch(_ request: TransferRequest) async -> TransferOutcome {
      guard !request.cancel.isCancelled else { return TransferOutcome(end: .cancelled, response: nil, received: 0) }
      let count = counts[request.url.text, default: 0]
      counts[request.url.text] = count + 1
      let answer = script(request, count)
      if case .failure(let error) = answer.ending {
        return TransferOutcome(end: .failed(error), response: nil, received: 0)
      }
      let judge = ResponseJudge(
        url: request.url, range: request.range, isConditional: request.condition != nil,
        declaredSize: request.declaredSize,
        keptCodings: request.keptCodings)
      switch judge.judge(answer.head) {
      case .accept(let offset, let length, let total):
        let facts = ResponseFacts(answer.head, url: request.url, offset: offset, total: total)
        return await receive(answer, request, facts, length: length)
      case .complete(let total):
        let facts = ResponseFacts(answer.head, url: request.url, offset: total, total: total)
        do { try request.onResponse(facts) } catch {
          return TransferOutcome(end: .failed(error), response: facts, received: 0)
        }
        return TransferOutcome(end: .completed(length: total), response: facts, received: 0)
      case .unchanged:
        return TransferOutcome(
          end: .unchanged, response: ResponseFacts(answer.head, url: request.url, offset: 0, total: nil), received: 0)
      case .reject(let error):
        let pause = RetryAfter.pause(answer.head, of: request.url, now: WallClock.seconds)
        return TransferOutcome(
          end: .failed(HTTPFailure.adding(pause?.length, to: error)),
          response: ResponseFacts(answer.head, url: request.url, offset: 0, total: nil), received: 0, retryAfter: pause)
      }
    }

    private func receive(_ answer: Answer, _ request: TransferRequest, _ facts: ResponseFacts, length: Int64?) async
      -> TransferOutcome
    {
      var body = BodyReceiver(request, pool: pool, offset: facts.offset, length: length)
      defer { body.close() }
      let end: TransferOutcome.End
      do throws(DLSyncError) {
        if let total = facts.total { request.meter.total.set(total) }
        try request.onResponse(facts)
        if try await deliver(answer, request, to: &body) { return cancelled(facts, body) }
        if case .silence = answer.ending, !body.isWhole {
          end = await waitForEnd(request, &body)
        } else {
          end = try body.end(
            isOrderly: answer.isOrderly, declared: request.declaredSize, url: request.url, underlying: nil)
        }
      } catch {
        end = .failed(error)
      }
      return TransferOutcome(end: end, response: facts, received: body.received)
    }

    private func cancelled(_ facts: ResponseFacts, _ body: BodyReceiver) -> TransferOutcome {
      TransferOutcome(end: .cancelled, response: facts, received: body.received)
    }

    /// Hands the body over, piece by piece; true when the transfer was cancelled meanwhile.
    private func deliver(
      _ answer: Answer, _ request: TransferRequest, to body: inout BodyReceiver
    ) async throws(DLSyncError) -> Bool {
      let bytes = answer.body
      for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
        if answer.pause > .zero {
          try body.flush()
          await executor.sleep(until: .now.advanced(by: answer.pause.inNanoseconds))
          if request.cancel.isCancelled || Task.isCancelled { return true }
        }
        let piece = Array(bytes[start..<min(bytes.count, start + Self.pieceSize)])
        let pointer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
        defer { pointer.deallocate() }
        pointer.copyBytes(from: piece)
        guard try body.take(UnsafeRawBufferPointer(pointer)) else { break }
      }
      try body.flush()
      return false
    }

    /// Waits until the transfer is cancelled, or its end is lowered to what came.
    private func waitForEnd(_ request: TransferRequest, _ body: inout BodyReceiver) async -> TransferOutcome.End {
      while !body.isShortened {
        request.meter.silence = .awaited
        if request.cancel.isCancelled || Task.isCancelled { return .cancelled }
        await executor.sleep(until: .now.advanced(by: 1_000_000))
      }
      return .completed(length: request.meter.end.value)
    }
  }
}

extension ScriptedTransport.Answer {
  fileprivate var isOrderly: Bool { if case .lost = ending { false } else { true } }
}
