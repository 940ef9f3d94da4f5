package import DLSyncModel

/// Judges a final response (no redirect, no 1xx) by its head alone, against what was asked. Pure.
///
/// Nothing that is not exactly what was asked for may ever be joined to bytes that are there already: the judge is the one
/// place that decides it. The rules are those of RFC 9110, sections 13.1.5, 14 and 15.3.7, read strictly.
package struct ResponseJudge: Sendable {
  package enum Verdict: Equatable, Sendable {
    /// The body may be used. `offset` is where its first byte belongs: zero, although a range was asked, means that the
    /// resource comes from its start. `length` is the body's, `total` the resource's, nil where they were not told.
    case accept(offset: Int64, length: Int64?, total: Int64?)
    /// There is nothing more to fetch; the resource has `total` bytes.
    case complete(total: Int64)
    /// The resource is still what the request's condition names.
    case unchanged
    case reject(DLSyncError)
  }

  private let url: SourceURL
  private let range: RangeRequest?
  private let declaredSize: Int64?
  private let keptCodings: KeptCodings
  private let usesProxy: Bool
  private let isConditional: Bool

  package init(
    url: SourceURL, range: RangeRequest? = nil, isConditional: Bool = false, declaredSize: ByteCount? = nil,
    keptCodings: KeptCodings = .none,
    usesProxy: Bool = false
  ) {
    self.url = url
    self.range = range
    self.declaredSize = declaredSize?.bytes
    self.keptCodings = keptCodings
    self.usesProxy = usesProxy
    self.isConditional = isConditional
  }

  package func judge(_ head: ResponseHead) -> Verdict {
    switch head.statusCode {
    case 200: judgeWhole(head)
    case 206: judgePartial(head)
    case 304 where isConditional: .unchanged
    case 416: judgeUnsatisfied(head)
    case 407 where usesProxy:
      reject(
        .proxyFailed, "the proxy answered 407 Proxy Authentication Required", status: 407,
        hint: "check the user name and password of the proxy")
    default: .reject(HTTPFailure.error(status: head.statusCode, url: url, isOfRange: range != nil))
    }
  }

  // MARK: 200

  private func judgeWhole(_ head: ResponseHead) -> Verdict {
    let length = BodyLength(head)
    if case .invalid(let why) = length { return invalid(why) }
    if let encoded = encodingProblem(head) { return encoded }
    if let field = head.first(.contentRange), !saysEmpty(field, length) {
      // Content-Range has no meaning here. It is harmless only where it says the same: everything from the start.
      guard range == nil, let named = ContentRange(field), let ends = named.ends, ends.lowerBound == 0,
        named.total == nil || named.total == ends.upperBound + 1
      else { return wrongRange("status 200 with Content-Range \(quoted(field))") }
    }
    if let range, let changed = change(head, range: range, total: length.bytes, demandsValidator: false) {
      return changed
    }
    if let told = length.bytes, let mismatch = sizeMismatch(total: told) { return mismatch }
    return .accept(offset: 0, length: length.bytes, total: length.bytes)
  }

  // MARK: 206

  private func judgePartial(_ head: ResponseHead) -> Verdict {
    let length = BodyLength(head)
    if case .invalid(let why) = length { return invalid(why) }
    if let type = head.first(.contentType), type.lowercased().hasPrefix("multipart/byteranges") {
      return wrongRange("several ranges in one body")
    }
    let fields = Set(head.values(.contentRange))
    guard fields.count == 1, let field = fields.first else {
      return wrongRange(fields.isEmpty ? "no Content-Range" : "Content-Ranges that differ")
    }
    guard let named = ContentRange(field), let ends = named.ends else {
      return saysEmpty(field, length) ? judgeUnsatisfied(head) : wrongRange("Content-Range \(quoted(field))")
    }
    if let encoded = encodingProblem(head) { return encoded }
    return judge(ends, of: named.total, field: field, head: head)
  }

  private func judge(_ ends: ClosedRange<Int64>, of total: Int64?, field: String, head: ResponseHead) -> Verdict {
    guard let range else {
      // No range was asked. A server that answers so all the same is right only about the whole.
      guard ends.lowerBound == 0, let total, ends.upperBound == total - 1 else {
        return wrongRange("Content-Range \(quoted(field)) though the whole was asked for")
      }
      return sizeMismatch(total: total) ?? .accept(offset: 0, length: total, total: total)
    }
    if let changed = change(head, range: range, total: total, demandsValidator: true) { return changed }
    guard ContentCodings(head) == range.codings else {
      return reject(
        .resourceChanged, "a part of the resource came in another content coding than what is there", status: nil)
    }
    let known = total ?? range.total
    let last: Int64? =
      switch (range.upper, known) {
      case (let upper?, let known?): min(upper, known) - 1
      case (let upper?, nil): upper - 1
      case (nil, let known?): known - 1
      case (nil, nil): nil
      }
    guard ends.lowerBound == range.lower, let last, ends.upperBound == last else {
      return wrongRange("Content-Range \(quoted(field)), asked was \(quoted(Self.field(range)))")
    }
    if let known, let mismatch = sizeMismatch(total: known) { return mismatch }
    return .accept(offset: range.lower, length: last - range.lower + 1, total: known)
  }

  // MARK: 416

  /// Nothing lies behind what was asked: either everything is here already, or the resource is another one.
  private func judgeUnsatisfied(_ head: ResponseHead) -> Verdict {
    let totals = Set(head.values(.contentRange))
    let named = totals.count == 1 ? totals.first.flatMap { ContentRange($0) } : nil
    let total = named?.ends == nil ? named?.total : nil
    guard let range else {
      // Of an empty resource no range at all is right, not even one that somebody on the way asks for.
      guard total == 0 else { return .reject(HTTPFailure.error(status: 416, url: url)) }
      return sizeMismatch(total: 0) ?? .complete(total: 0)
    }
    if let total, total == range.lower {
      return change(head, range: range, total: total, demandsValidator: false)
        ?? sizeMismatch(total: total) ?? .complete(total: total)
    }
    return reject(
      .resourceChanged, "the resource is no longer as it was: the server has nothing from byte \(range.lower) on",
      status: head.statusCode)
  }

  // MARK: Shared rules

  /// Whether the response belongs to another version than the one that is partly there already.
  private func change(_ head: ResponseHead, range: RangeRequest, total: Int64?, demandsValidator: Bool) -> Verdict? {
    if let known = range.total, let total, known != total {
      return reject(
        .resourceChanged, "the resource changed: it had \(known) bytes and has \(total) now", status: nil)
    }
    guard let validator = range.validator, !validator.isShown(by: head) else { return nil }
    let name: FieldName
    switch validator {
    case .entityTag: name = .entityTag
    case .lastModified: name = .lastModified
    }
    if head.first(name) == nil, !demandsValidator { return nil }
    return reject(
      .resourceChanged,
      head.first(name) == nil
        ? "a part of the resource came without its \(name.text), so it may be another version"
        : "the resource changed: its \(name.text) is another one now", status: nil)
  }

  /// An empty resource has no range that could be named: `bytes */0`, whatever the status is then.
  private func saysEmpty(_ field: String, _ length: BodyLength) -> Bool {
    ContentRange(field)?.total == 0 && length.bytes == 0
  }

  private func encodingProblem(_ head: ResponseHead) -> Verdict? {
    guard let coding = keptCodings.refused(ContentCodings(head)) else { return nil }
    return reject(
      .encodingUnsupported, "the body is encoded as \(quoted(coding)) though identity was asked for", status: nil,
      hint: "contentEncoding: keep stores the bytes as they are sent")
  }

  private func sizeMismatch(total: Int64) -> Verdict? {
    guard let declaredSize, declaredSize != total else { return nil }
    let found = "the server has \(total) bytes (\"\(url.shown)\")"
    return .reject(DLSyncError(SizeMismatch(declared: declaredSize, found: found), hint: BodyReceiver.sizeHint))
  }

  private func wrongRange(_ what: String) -> Verdict {
    reject(
      .rangeInvalid, "the server sent another range than the one asked for: \(what)", status: nil,
      hint: "run again: the whole is asked for then")
  }

  private func invalid(_ what: String) -> Verdict {
    reject(
      .protocolError, "the answer is not valid HTTP: \(what)", status: nil,
      hint: "check that the url leads to a server that speaks HTTP")
  }

  private func reject(_ code: ErrorCode, _ message: String, status: Int?, hint: String? = nil) -> Verdict {
    .reject(DLSyncError(code, "\(message) (\"\(url.shown)\")", hint: hint, .init(statusCode: status)))
  }

  /// A server's text in a message: short, and nothing that could move a terminal's cursor.
  private func quoted(_ text: String) -> String {
    "\"" + String(text.prefix(80).map { $0.isASCII && ($0.asciiValue ?? 0) >= 0x20 ? $0 : "?" }) + "\""
  }

  /// The `Range` field's value for what is asked (RFC 9110, section 14.2).
  package static func field(_ range: RangeRequest) -> String {
    "bytes=\(range.lower)-" + (range.upper.map { "\($0 - 1)" } ?? "")
  }
}
