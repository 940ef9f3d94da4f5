/// How the origin answers one request: an answer without faults, then the faults, all of them data.
///
///     origin.serve("/a.bin", [.file(bytes).cut(after: 1000), .file(bytes)])   // the first attempt is cut short
package struct Script: Sendable {
  /// How the end of the body is told.
  package enum Framing: Sendable {
    /// `Content-Length`, true.
    case length
    /// `Content-Length` with this number, true or not.
    case declared(Int64)
    /// `Transfer-Encoding: chunked`.
    case chunked
    /// The end of the connection.
    case untilClose
  }

  /// How the server treats `Range`.
  package enum Ranges: Sendable {
    /// 206 and 416 as they should be, `If-Range` honoured.
    case honoured
    /// Always the whole, and it does not say that it could do otherwise.
    case ignored
    /// Always the whole, though `Accept-Ranges: bytes` is said.
    case ignoredSilently
    /// The range is served, but these bytes further on than asked, and the header tells the truth about it.
    case shifted(by: Int64)
  }

  /// What happens when the body has been sent, or as much of it as `bodyLimit` lets through.
  package enum Ending: Sendable {
    /// The connection stays for the next request.
    case keepAlive
    /// An orderly close.
    case finish
    /// A reset.
    case reset
    /// Nothing more comes, but the connection stays until the client goes.
    case silence
  }

  package var status = 200
  /// The reason phrase; nil takes the usual one.
  package var reason: String?
  package var version = "HTTP/1.1"
  /// Further header fields, sent in this order behind the origin's own.
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  package var framing = Framing.length
  package var ranges = Ranges.ignored
  /// Sent as `ETag`; quotes included.
  package var entityTag: String?
  /// Sent as `Last-Modified`.
  package var lastModified: String?
  /// Sent as `Date`; nil tells the time.
  package var date: String?
  /// Waited before anything is sent.
  package var delay = Duration.zero
  /// Average pace of the body.
  package var bytesPerSecond: Int?
  /// The body ends early, behind so many bytes.
  package var bodyLimit: Int?
  package var ending = Ending.keepAlive
  /// Sent as they are in front of the answer: 1xx responses, garbage.
  package var prologue: [UInt8] = []
  /// Sent as they are instead of any answer.
  package var rawAnswer: [UInt8]?

  package init() {}
}

// MARK: - Answers

extension Script {
  /// A well-behaved static file: ranges, a strong entity tag, a date in the past.
  package static func file(
    _ bytes: [UInt8], entityTag: String? = "\"v1\"", lastModified: String? = "Wed, 01 Jan 2020 00:00:00 GMT"
  ) -> Script {
    var script = Script()
    script.body = bytes
    script.ranges = .honoured
    script.entityTag = entityTag
    script.lastModified = lastModified
    return script
  }

  /// A status with a short text.
  package static func status(_ status: Int, _ text: String = "") -> Script {
    var script = Script()
    script.status = status
    script.body = Array(text.utf8)
    return script
  }

  /// A redirect; the location is sent as written.
  package static func redirect(_ status: Int = 302, to location: String) -> Script {
    Script.status(status).with("Location", location)
  }

  /// Exactly these bytes, then the ending.
  package static func raw(_ text: String, ending: Ending = .finish) -> Script {
    var script = Script()
    script.rawAnswer = Array(text.utf8)
    script.ending = ending
    return script
  }

  /// No answer at all: the connection stays and nothing comes.
  package static let silence = Script.raw("", ending: .silence)
}

// MARK: - Faults

extension Script {
  /// With one more header field.
  package func with(_ name: String, _ value: String) -> Script {
    changed { $0.headers.append((name, value)) }
  }

  /// The body ends behind so many bytes, in this way.
  package func cut(after bytes: Int, _ ending: Ending = .finish) -> Script {
    changed {
      $0.bodyLimit = bytes
      $0.ending = ending
    }
  }

  /// The body is sent at this average pace.
  package func paced(bytesPerSecond: Int) -> Script { changed { $0.bytesPerSecond = bytesPerSecond } }

  /// Everything comes so much later.
  package func delayed(_ delay: Duration) -> Script { changed { $0.delay = delay } }

  /// Ranges are treated like this.
  package func ranges(_ ranges: Ranges) -> Script { changed { $0.ranges = ranges } }

  /// The end of the body is told like this.
  package func framed(_ framing: Framing) -> Script { changed { $0.framing = framing } }

  /// The connection ends like this.
  package func ending(_ ending: Ending) -> Script { changed { $0.ending = ending } }

  /// A copy with anything else changed.
  package func changed(_ change: (inout Script) -> Void) -> Script {
    var copy = self
    change(&copy)
    return copy
  }
}
