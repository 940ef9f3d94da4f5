package import DLSyncModel
package import DLSyncThreading

/// Settings that all transfers of one queue share; one object each queue.
package final class TransferSettings: Sendable {
  package let timeouts: QueueConfiguration.Timeouts
  package let network: QueueConfiguration.Network
  package let tls: QueueConfiguration.TLS
  /// Connections to one host.
  package let connectionsPerHost: Int
  /// `dlsync/VERSION`.
  package let userAgent: String
  /// The process's environment, for proxies.
  package let environment: [String: String]

  package init(_ configuration: QueueConfiguration, userAgent: String, environment: [String: String]) {
    timeouts = configuration.timeouts
    network = configuration.network
    tls = configuration.tls
    connectionsPerHost = configuration.connectionsPerHost
    self.userAgent = userAgent
    self.environment = environment
  }
}

/// The part of a resource that is asked for, and what must be true of the answer.
package struct RangeRequest: Sendable {
  /// Sent as `Range: bytes=lower-(upper-1)`; an open end asks for the rest.
  package let lower: Int64
  package let upper: Int64?
  /// The strong validator of what is there already, sent as `If-Range` (RFC 9110, section 13.1.5).
  package let validator: Validator?
  /// The resource's length as the first response told it; another one means another resource.
  package let total: Int64?
  /// The codings of the bytes that are there already.
  package let codings: ContentCodings

  package init(
    lower: Int64, upper: Int64?, validator: Validator?, total: Int64?, codings: ContentCodings = ContentCodings()
  ) {
    self.lower = lower
    self.upper = upper
    self.validator = validator
    self.total = total
    self.codings = codings
  }
}

/// What is known of a resource that is here already: it is only sent where it is another one now (RFC 9110, section 13).
package struct RequestCondition: Equatable, Sendable {
  /// The entity tag as it was sent, weak ones included.
  package var entityTag: String?
  /// The date of the last change as it was sent.
  package var lastModified: String?

  /// Nil where there is nothing to ask by.
  package init?(_ headers: [HeaderField]) {
    entityTag = headers.first { $0.name.isSameToken(as: "ETag") }?.value
    lastModified = headers.first { $0.name.isSameToken(as: "Last-Modified") }?.value
    if entityTag == nil, lastModified == nil { return nil }
  }

  /// The field lines. Whoever knows the first does not look at the second.
  var lines: [String] {
    [entityTag.map { "If-None-Match: \($0)" }, lastModified.map { "If-Modified-Since: \($0)" }].compactMap(\.self)
  }
}

/// What tells two versions of a resource apart, byte for byte (RFC 9110, section 8.8).
package enum Validator: Hashable, Sendable {
  /// A strong entity tag, quotes included.
  case entityTag(String)
  /// A Last-Modified date at least 60 s older than the response's Date, as sent.
  case lastModified(String)

  /// The field value of `If-Range`.
  package var text: String {
    switch self {
    case .entityTag(let text), .lastModified(let text): text
    }
  }
}

/// What no byte of a transfer means for the time.
package enum Silence: Int64, Sendable {
  /// The request was not sent yet, or it is over.
  case noneExpected
  /// The server is to send something.
  case awaited
  /// A rate holds the transfer back.
  case heldBack
}

/// Live numbers of one transfer: the transfer thread writes, anybody samples.
package final class TransferMeter: Sendable {
  /// Payload bytes handed to the sink.
  package let received = Counter()
  /// Payload bytes that came, as far as they are collected first: some are yet to be handed on.
  package let collected = Counter()
  /// The resource's whole length once a response told it, else -1.
  package let total: Counter
  /// The offset at which the transfer ends early, as a success: whoever steals a part of a running range lowers it.
  package let end = Counter(.max)
  /// What the transfer does right now where no byte comes.
  package var silence: Silence {
    get { Silence(rawValue: quiet.value) ?? .noneExpected }
    set { quiet.set(newValue.rawValue) }
  }
  private let quiet = Counter(Silence.noneExpected.rawValue)
  /// What all transfers of the file have brought together.
  private let file: Counter?

  package init(file: Counter? = nil, total: Counter = Counter(-1)) {
    self.file = file
    self.total = total
  }

  /// So many more payload bytes went to the sink.
  package func add(_ bytes: Int64) {
    received.add(bytes)
    file?.add(bytes)
  }
}

/// One request for a resource, with everything that it needs.
package final class TransferRequest: Sendable {
  /// What is asked.
  package let url: SourceURL
  /// The entry's own headers. They go to `headerOrigin` alone.
  package let headers: [HeaderField]
  /// The origin (`SourceURL.origin`) that may see the headers.
  package let headerOrigin: String
  /// Nil asks for the whole resource without a Range field.
  package let range: RangeRequest?
  /// Asks for the resource only where it is another one than this; nil asks for it in any case.
  package let condition: RequestCondition?
  /// The length that the manifest declares for the whole resource.
  package let declaredSize: ByteCount?
  /// With which codings a body is stored as sent.
  package let keptCodings: KeptCodings
  /// Whether the transfer needs a connection that no other transfer shares: one of several for one file. It speaks
  /// HTTP/1.1 then, because streams of one HTTP/2 connection share its fate and its speed.
  package let needsOwnConnection: Bool
  package let settings: TransferSettings
  /// Buckets that every payload byte is paid from: the queue's and the run's.
  package let rateLimits: [RateLimit]
  /// When the file's resource budget is used up.
  package let deadline: MonotonicInstant?
  package let meter: TransferMeter
  package let cancel: CancelToken
  /// Where the payload goes, at its offset in the resource.
  package let sink: any ByteSink
  /// How much longer a host that a redirect leads to is to be left alone, nil for one that may be asked; called on the
  /// transfer thread. Nil for a request that asks whatever host it is led to.
  package let remainingPause: (@Sendable (_ host: String) -> HostPause?)?
  /// Told once, on the transfer thread, when a response was judged good and before its first byte: throwing ends the
  /// transfer with that error (no room on the disk).
  package let onResponse: @Sendable (ResponseFacts) throws(DLSyncError) -> Void

  package init(
    url: SourceURL, headers: [HeaderField], headerOrigin: String, range: RangeRequest?,
    condition: RequestCondition? = nil, declaredSize: ByteCount?,
    keptCodings: KeptCodings, needsOwnConnection: Bool = false, settings: TransferSettings, rateLimits: [RateLimit],
    deadline: MonotonicInstant?,
    meter: TransferMeter, cancel: CancelToken, sink: any ByteSink,
    remainingPause: (@Sendable (String) -> HostPause?)? = nil,
    onResponse: @escaping @Sendable (ResponseFacts) throws(DLSyncError) -> Void
  ) {
    self.url = url
    self.headers = headers
    self.headerOrigin = headerOrigin
    self.range = range
    self.condition = condition
    self.declaredSize = declaredSize
    self.keptCodings = keptCodings
    self.needsOwnConnection = needsOwnConnection
    self.settings = settings
    self.rateLimits = rateLimits
    self.deadline = deadline
    self.meter = meter
    self.cancel = cancel
    self.sink = sink
    self.remainingPause = remainingPause
    self.onResponse = onResponse
  }
}
