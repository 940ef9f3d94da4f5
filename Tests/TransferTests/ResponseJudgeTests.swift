import DLSyncModel
import DLSyncTransfer
import Testing

/// What the table asks for: the code of a rejection, or where the body belongs.
private enum Expected: Equatable {
  case accept(Int64, Int64?, Int64?)
  case complete(Int64)
  case unchanged
  case reject(ErrorCode)

  init(_ verdict: ResponseJudge.Verdict) {
    switch verdict {
    case .accept(let offset, let length, let total): self = .accept(offset, length, total)
    case .complete(let total): self = .complete(total)
    case .unchanged: self = .unchanged
    case .reject(let error): self = .reject(error.code)
    }
  }
}

@Suite struct ResponseJudgeTests {
  @Test func onlyAConditionMayBeAnsweredWith304() throws {
    let head = ResponseHead(statusCode: 304, fields: [HeaderField("ETag", "\"v\"")])
    let url = try SourceURL("http://h/a")
    #expect(Expected(ResponseJudge(url: url, isConditional: true).judge(head)) == .unchanged)
    #expect(Expected(ResponseJudge(url: url).judge(head)) == .reject(.httpStatus))
  }

  private func judge(
    _ head: ResponseHead, range: RangeRequest? = nil, size: Int64? = nil, kept: KeptCodings = .none, proxy: Bool = false
  ) throws -> Expected {
    Expected(
      ResponseJudge(
        url: try SourceURL("http://h/a"), range: range, declaredSize: size.map(ByteCount.init),
        keptCodings: kept,
        usesProxy: proxy
      ).judge(head))
  }

  private func resume(_ lower: Int64 = 100, _ upper: Int64? = nil, tag: String? = "\"v\"", total: Int64? = 1000)
    -> RangeRequest
  {
    RangeRequest(lower: lower, upper: upper, validator: tag.map { .entityTag($0) }, total: total)
  }

  @Test func wholeResourceIsAcceptedWithItsLength() throws {
    #expect(try judge(head(200, ["Content-Length": "10"])) == .accept(0, 10, 10))
    #expect(try judge(head(200)) == .accept(0, nil, nil))
    #expect(try judge(head(200, ["Transfer-Encoding": "chunked"])) == .accept(0, nil, nil))
    #expect(try judge(head(200, ["Transfer-Encoding": "Chunked", "Content-Length": "7"])) == .accept(0, nil, nil))
    #expect(try judge(head(200, ["Content-Length": "0"])) == .accept(0, 0, 0))
    #expect(try judge(head(200, ["content-length": "5", "Content-Length": "5"])) == .accept(0, 5, 5))
  }

  @Test(arguments: [
    "+5", "-5", "5, 5", "5,6", "5x", "0x5", "", "5.0", "9223372036854775808", "99999999999999999999999",
  ])
  func lengthThatIsNotOnePlainNumberIsAProtocolError(_ text: String) throws {
    #expect(try judge(head(200, ["Content-Length": text])) == .reject(.protocolError))
  }

  @Test func lengthsThatDifferAreAProtocolError() throws {
    #expect(try judge(head(200, ["Content-Length": "5", "CONTENT-LENGTH": "6"])) == .reject(.protocolError))
  }

  @Test(arguments: ["gzip, chunked", "gzip", "chunked, chunked", "bogus"])
  func framingOtherThanChunkedIsAProtocolError(_ text: String) throws {
    #expect(try judge(head(200, ["Transfer-Encoding": text])) == .reject(.protocolError))
  }

  @Test(arguments: [
    (204, ErrorCode.httpStatus), (205, .httpStatus), (201, .httpStatus), (300, .httpStatus), (304, .httpStatus),
    (302, .httpStatus),
    (400, .httpStatus), (401, .authenticationRequired), (403, .authenticationRequired), (404, .httpStatus),
    (407, .httpStatus), (410, .httpStatus), (416, .httpStatus), (429, .httpStatus), (500, .httpStatus),
    (503, .httpStatus),
    (999, .httpStatus),
  ])
  func otherStatusesBringNoFile(_ status: Int, _ code: ErrorCode) throws {
    #expect(try judge(head(status, ["Content-Length": "3"])) == .reject(code))
    #expect(try judge(head(204), range: resume()) == .reject(.httpStatus))
  }

  @Test func statusErrorTellsTheStatusInWordsAndNumber() throws {
    let verdict = ResponseJudge(url: try SourceURL("http://h/a?token=SECRET")).judge(head(404))
    guard case .reject(let error) = verdict else { throw error(verdict) }
    #expect(error.message == "the server answered 404 Not Found for \"http://h/a?token=…\"")
    #expect(error.details.statusCode == 404)
  }

  @Test(arguments: [400, 403, 405, 412, 404, 503]) func refusedRangeTellsHowTheWholeIsHad(status: Int) throws {
    for range in [nil, resume()] {
      let verdict = ResponseJudge(url: try SourceURL("http://h/a"), range: range).judge(head(status))
      guard case .reject(let error) = verdict else { throw error(verdict) }
      let isTold = error.hint?.contains("\"dlsync restart\" asks for the whole") ?? false
      #expect(isTold == (range != nil && ![404, 503].contains(status)), "\(error)")
    }
  }

  private func error(_ verdict: ResponseJudge.Verdict) -> DLSyncError {
    DLSyncError(.internal, "unexpected \(verdict)")
  }

  @Test func proxysRefusalIsTheProxysFailure() throws {
    #expect(try judge(head(407), proxy: true) == .reject(.proxyFailed))
  }

  @Test func declaredSizeMustBeTheLength() throws {
    #expect(try judge(head(200, ["Content-Length": "10"]), size: 10) == .accept(0, 10, 10))
    #expect(try judge(head(200, ["Content-Length": "10"]), size: 11) == .reject(.sizeMismatch))
    #expect(try judge(head(200), size: 11) == .accept(0, nil, nil))
    let part = head(206, ["Content-Range": "bytes 100-999/1000", "ETag": "\"v\""])
    #expect(try judge(part, range: resume(), size: 999) == .reject(.sizeMismatch))
    #expect(try judge(part, range: resume(), size: 1000) == .accept(100, 900, 1000))
  }

  @Test func encodedBodyIsRefusedUnlessWanted() throws {
    for coding in ["gzip", "x-gzip", "br", "identity, gzip"] {
      #expect(try judge(head(200, ["Content-Encoding": coding])) == .reject(.encodingUnsupported))
      #expect(try judge(head(200, ["Content-Encoding": coding]), kept: .all) == .accept(0, nil, nil))
    }
    #expect(try judge(head(200, ["Content-Encoding": "identity"])) == .accept(0, nil, nil))
    let part = head(206, ["Content-Range": "bytes 100-999/1000", "ETag": "\"v\"", "Content-Encoding": "gzip"])
    #expect(try judge(part, range: resume()) == .reject(.encodingUnsupported))
  }

  @Test(
    arguments: [
      // asked, field, expected
      ((100, nil, 1000), "bytes 100-999/1000", Expected.accept(100, 900, 1000)),
      ((100, 200, 1000), "bytes 100-199/1000", .accept(100, 100, 1000)),
      ((100, 200, nil), "bytes 100-199/1000", .accept(100, 100, 1000)),
      ((100, nil, nil), "bytes 100-999/1000", .accept(100, 900, 1000)),
      ((900, 1100, 1000), "bytes 900-999/1000", .accept(900, 100, 1000)),
      ((100, nil, 1000), "BYTES 100-999/1000", .accept(100, 900, 1000)),
      ((100, nil, 1000), "bytes 100-999/*", .accept(100, 900, 1000)),
      ((100, 200, nil), "bytes 100-199/*", .accept(100, 100, nil)),
      ((100, nil, nil), "bytes 100-999/*", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes 96-999/1000", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes 110-999/1000", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes 100-998/1000", .reject(.rangeInvalid)),
      ((100, 200, 1000), "bytes 100-200/1000", .reject(.rangeInvalid)),
      ((100, 200, 1000), "bytes 100-150/1000", .reject(.rangeInvalid)),
      ((100, nil, 1000), "items 100-999/1000", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes=100-999/1000", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes 100-999", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes 100-1000/1000", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes 999-100/1000", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes */1000", .reject(.rangeInvalid)),
      ((100, nil, 1000), "bytes 100-999/1001", .reject(.resourceChanged)),
      ((100, nil, 1000), "bytes 100-998/999", .reject(.resourceChanged)),
      ((100, nil, 1000), "", .reject(.rangeInvalid)),
    ] as [((Int64, Int64?, Int64?), String, Expected)])
  private func partMustBeExactlyTheRangeAsked(_ asked: (Int64, Int64?, Int64?), _ field: String, _ expected: Expected)
    throws
  {
    let range = RangeRequest(lower: asked.0, upper: asked.1, validator: .entityTag("\"v\""), total: asked.2)
    #expect(try judge(head(206, ["Content-Range": field, "ETag": "\"v\""]), range: range) == expected, "\(field)")
  }

  @Test func partWithoutOrWithTwoRangesIsRefused() throws {
    #expect(try judge(head(206, ["ETag": "\"v\""]), range: resume()) == .reject(.rangeInvalid))
    let two = head(206, ["ETag": "\"v\"", "Content-Range": "bytes 100-999/1000", "content-range": "bytes 0-999/1000"])
    #expect(try judge(two, range: resume()) == .reject(.rangeInvalid))
    let multipart = head(
      206, ["ETag": "\"v\"", "Content-Range": "bytes 100-999/1000", "Content-Type": "Multipart/Byteranges; boundary=x"])
    #expect(try judge(multipart, range: resume()) == .reject(.rangeInvalid))
  }

  @Test(arguments: ["\"w\"", "W/\"v\"", "v", ""])
  func partOfAnotherVersionIsAChange(_ tag: String) throws {
    let part = head(206, ["Content-Range": "bytes 100-999/1000", "ETag": tag])
    #expect(try judge(part, range: resume()) == .reject(.resourceChanged))
  }

  @Test func partWithoutTheValidatorIsNeverJoined() throws {
    let part = head(206, ["Content-Range": "bytes 100-999/1000"])
    #expect(try judge(part, range: resume()) == .reject(.resourceChanged))
    #expect(try judge(part, range: resume(tag: nil)) == .accept(100, 900, 1000))
  }

  @Test func dateThatDiffersIsAChange() throws {
    let range = RangeRequest(
      lower: 100, upper: nil, validator: .lastModified("Tue, 01 Sep 2020 00:00:00 GMT"), total: 1000)
    let same = head(206, ["Content-Range": "bytes 100-999/1000", "Last-Modified": "Tue, 01 Sep 2020 00:00:00 GMT"])
    let other = head(206, ["Content-Range": "bytes 100-999/1000", "Last-Modified": "Tue, 01 Sep 2020 00:00:01 GMT"])
    #expect(try judge(same, range: range) == .accept(100, 900, 1000))
    #expect(try judge(other, range: range) == .reject(.resourceChanged))
  }

  @Test func wholeInsteadOfAPartComesFromTheStart() throws {
    #expect(
      try judge(head(200, ["Content-Length": "1000", "ETag": "\"v\""]), range: resume()) == .accept(0, 1000, 1000))
    #expect(try judge(head(200, ["Content-Length": "1000"]), range: resume()) == .accept(0, 1000, 1000))
    #expect(try judge(head(200, ["ETag": "\"v\""]), range: resume()) == .accept(0, nil, nil))
    #expect(
      try judge(head(200, ["Content-Length": "1001", "ETag": "\"v\""]), range: resume()) == .reject(.resourceChanged))
    #expect(
      try judge(head(200, ["Content-Length": "1000", "ETag": "\"w\""]), range: resume()) == .reject(.resourceChanged))
  }

  @Test func contentRangeBeside200IsRefusedUnlessItSaysTheSame() throws {
    let sliced = head(200, ["Content-Length": "900", "Content-Range": "bytes 100-999/1000", "ETag": "\"v\""])
    #expect(try judge(sliced, range: resume()) == .reject(.rangeInvalid))
    #expect(try judge(sliced) == .reject(.rangeInvalid))
    #expect(try judge(head(200, ["Content-Length": "10", "Content-Range": "bytes 0-9/10"])) == .accept(0, 10, 10))
  }

  @Test func partThatNobodyAskedForMustBeTheWhole() throws {
    #expect(try judge(head(206, ["Content-Range": "bytes 0-9/10"])) == .accept(0, 10, 10))
    #expect(try judge(head(206, ["Content-Range": "bytes 0-8/10"])) == .reject(.rangeInvalid))
    #expect(try judge(head(206, ["Content-Range": "bytes 0-9/*"])) == .reject(.rangeInvalid))
  }

  @Test func nothingLeftCompletesOnlyWhereEverythingIsHere() throws {
    #expect(try judge(head(416, ["Content-Range": "bytes */1000"]), range: resume(1000)) == .complete(1000))
    #expect(try judge(head(416, ["Content-Range": "bytes */1000"]), range: resume(1000, total: nil)) == .complete(1000))
    #expect(try judge(head(416, ["Content-Range": "bytes */0"]), range: resume(0, total: nil)) == .complete(0))
    #expect(try judge(head(416, ["Content-Range": "bytes */999"]), range: resume(1000)) == .reject(.resourceChanged))
    #expect(try judge(head(416, ["Content-Range": "bytes */0"]), range: resume()) == .reject(.resourceChanged))
    #expect(try judge(head(416), range: resume(1000)) == .reject(.resourceChanged))
    #expect(try judge(head(416, ["Content-Range": "bytes */1000"])) == .reject(.httpStatus))
  }

  @Test func nothingLeftOfAnotherVersionCompletesNothing() throws {
    let other = head(416, ["Content-Range": "bytes */1000", "ETag": "\"w\""])
    #expect(try judge(other, range: resume(1000, total: nil)) == .reject(.resourceChanged))
    let same = head(416, ["Content-Range": "bytes */1000", "ETag": "\"v\""])
    #expect(try judge(same, range: resume(1000, total: nil)) == .complete(1000))
  }

  @Test func emptyResourceIsCompleteAlsoWhereNoRangeWasAsked() throws {
    let empty = head(416, ["Content-Range": "bytes */0"])
    #expect(try judge(empty) == .complete(0))
    #expect(try judge(empty, size: 5) == .reject(.sizeMismatch))
    #expect(try judge(head(416)) == .reject(.httpStatus))
    let part = head(206, ["Content-Range": "bytes */0", "Content-Length": "0"])
    #expect(try judge(part) == .complete(0))
    #expect(try judge(part, size: 5) == .reject(.sizeMismatch))
    #expect(try judge(part, range: resume()) == .reject(.resourceChanged))
    #expect(try judge(head(206, ["Content-Range": "bytes */0"])) == .reject(.rangeInvalid))
    let whole = head(200, ["Content-Range": "bytes */0", "Content-Length": "0"])
    #expect(try judge(whole) == .accept(0, 0, 0) && judge(whole, range: resume()) == .reject(.resourceChanged))
    #expect(try judge(head(206, ["Content-Range": "bytes */0", "Content-Length": "9"])) == .reject(.rangeInvalid))
  }

  @Test func partInAnotherCodingIsNeverJoined() throws {
    func part(_ coding: String) -> ResponseHead {
      head(206, ["Content-Range": "bytes 100-999/1000", "ETag": "\"v\"", "Content-Encoding": coding])
    }
    let plain = resume()
    let encoded = RangeRequest(
      lower: 100, upper: nil, validator: .entityTag("\"v\""), total: 1000,
      codings: ContentCodings([HeaderField("content-encoding", "GZIP")]))
    #expect(try judge(part("gzip"), range: plain, kept: .all) == .reject(.resourceChanged))
    #expect(try judge(part("identity"), range: plain, kept: .all) == .accept(100, 900, 1000))
    #expect(try judge(part("gzip"), range: encoded, kept: .all) == .accept(100, 900, 1000))
    #expect(try judge(part("br"), range: encoded, kept: .all) == .reject(.resourceChanged))
    #expect(try judge(part("identity"), range: encoded, kept: .all) == .reject(.resourceChanged))
  }

  @Test(
    arguments: [
      ([("ETag", "\"x\"")], Validator.entityTag("\"x\"")),
      ([("ETag", "\"\"")], .entityTag("\"\"")),
      ([("ETag", "W/\"x\"")], nil),
      ([("ETag", "x")], nil),
      ([("ETag", "\"a\"b\"")], nil),
      ([("ETag", "\"x\""), ("etag", "\"y\"")], nil),
      (
        [("Last-Modified", "Tue, 01 Sep 2020 00:00:00 GMT"), ("Date", "Tue, 01 Sep 2020 00:01:00 GMT")],
        .lastModified("Tue, 01 Sep 2020 00:00:00 GMT")
      ),
      ([("Last-Modified", "Tue, 01 Sep 2020 00:00:00 GMT"), ("Date", "Tue, 01 Sep 2020 00:00:59 GMT")], nil),
      ([("Last-Modified", "Tue, 01 Sep 2020 00:00:00 GMT")], nil),
      ([("Last-Modified", "yesterday"), ("Date", "Tue, 01 Sep 2020 00:00:59 GMT")], nil),
      (
        [
          ("ETag", "W/\"x\""), ("Last-Modified", "Tue, 01 Sep 2020 00:00:00 GMT"),
          ("Date", "Wed, 02 Sep 2020 00:00:00 GMT"),
        ],
        .lastModified("Tue, 01 Sep 2020 00:00:00 GMT")
      ),
      ([], nil),
    ] as [([(String, String)], Validator?)])
  func onlyAStrongValidatorCounts(_ fields: [(String, String)], _ expected: Validator?) {
    #expect(Validator(ResponseHead(statusCode: 200, fields: fields.map { HeaderField($0.0, $0.1) })) == expected)
  }
}
