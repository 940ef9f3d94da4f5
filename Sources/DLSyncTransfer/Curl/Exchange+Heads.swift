import DLSyncModel
import DLSyncSystem
import DLSyncThreading

/// What a head of an answer leads to: another target, a body, or the end.
extension Exchange {
  /// A body that nobody wants is read up to here, so that its connection can be used again.
  private var drainLimit: Int64 { 64 * 1024 }

  /// Judges one head of an answer; false ends the request.
  func receive(_ head: ResponseHead) -> Bool {
    if head.statusCode == 101 {
      verdict = .failed(
        DLSyncError(
          .protocolError, "\"\(target.host)\" switches to another protocol than HTTP, which nobody asked for"))
      return false
    }
    if (100..<200).contains(head.statusCode) { return true }
    switch trail.decide(head) {
    case .follow(let next, let keeps):
      if !isToBeLeftAlone(next.host) { trail.follow(next, keepsHeaders: keeps, from: head) }
      return drain(head)
    case .refuse(let error):
      verdict = .failed(error)
      return drain(head)
    case .stay: return judge(head)
    }
  }

  /// Whether a host that a redirect leads to asked to be left alone: then nobody asks it now.
  private func isToBeLeftAlone(_ host: String) -> Bool {
    guard let pause = request.remainingPause?(host) else { return false }
    retryAfter = pause
    verdict = .failed(HTTPFailure.postponed(request.url, pause))
    return true
  }

  private func judge(_ head: ResponseHead) -> Bool {
    let judge = ResponseJudge(
      url: target, range: request.range, isConditional: request.condition != nil, declaredSize: request.declaredSize,
      keptCodings: request.keptCodings,
      usesProxy: target.scheme == "http" && easy?.asksHTTPProxy == true)
    switch judge.judge(head) {
    case .accept(let offset, let length, let total):
      guard announce(head, offset: offset, total: total) else { return false }
      lookAtFraming(head)
      body = BodyReceiver(request, pool: pool, offset: offset, length: length)
      phase = .receiving
      return true
    case .complete(let total):
      guard announce(head, offset: total, total: total) else { return false }
      verdict = .completed(length: total)
      return drain(head)
    case .unchanged:
      facts = makeFacts(head, offset: 0, total: nil)
      verdict = .unchanged
      return drain(head)
    case .reject(let error):
      facts = makeFacts(head, offset: 0, total: nil)
      retryAfter = RetryAfter.pause(head, of: target, now: WallClock.seconds)
      verdict = .failed(HTTPFailure.adding(retryAfter?.length, to: error))
      return drain(head)
    }
  }

  private func lookAtFraming(_ head: ResponseHead) {
    let framing = BodyLength(head)
    if case .chunked(besideLength: true) = framing { easy?.forbidReuse() }
    needsProperClose =
      target.scheme == "https" && head.majorVersion < 2 && framing == .untold && CurlCallbacks.reportsProperClose
  }

  /// Tells of an answer that is what was asked for; false where whoever asked does not want it.
  private func announce(_ head: ResponseHead, offset: Int64, total: Int64?) -> Bool {
    let facts = makeFacts(head, offset: offset, total: total)
    self.facts = facts
    if let total { request.meter.total.set(total) }
    do {
      try request.onResponse(facts)
      return true
    } catch {
      verdict = .failed(error)
      return false
    }
  }

  private func makeFacts(_ head: ResponseHead, offset: Int64, total: Int64?) -> ResponseFacts {
    ResponseFacts(
      head, url: target, offset: offset, total: total, headers: shown.select(head.fields),
      keptHeaders: trail.keepsHeaders)
  }

  /// Reads a short rest, so that the connection can be used again; gives up the connection rather than read a long one.
  private func drain(_ head: ResponseHead) -> Bool {
    phase = .draining
    drainLeft = drainLimit
    // These two never have a body, whatever their fields say (RFC 9110, section 6.4.1).
    if head.statusCode == 204 || head.statusCode == 304 { return true }
    return (BodyLength(head).bytes ?? 0) <= drainLimit
  }
}
