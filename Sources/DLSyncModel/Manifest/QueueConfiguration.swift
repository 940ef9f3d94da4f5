/// How the files of one queue travel. Every value has the default of the manifest's documentation.
public struct QueueConfiguration: Hashable, Sendable {
  /// Where transfers live.
  public enum Mode: String, CaseIterable, Sendable {
    /// In the command that applies the manifest.
    case foreground
    /// In the agent, beyond the command's end.
    case background
  }

  /// How long things may take.
  public struct Timeouts: Hashable, Sendable {
    /// Name look-up, connect and TLS.
    public var connect: Duration = .seconds(15)
    /// No byte received for so long fails the attempt.
    public var request: Duration = .seconds(60)
    /// Active time that one file may take, attempts and waits together.
    public var resource: Duration = .seconds(86_400)
    /// The defaults.
    public init() {}
  }

  /// When a failed attempt is tried again.
  public struct Retry: Hashable, Sendable {
    /// Attempts a file, the first included: 1 to 100.
    public var maxAttempts = 3
    /// The first delay's upper end; it doubles with each attempt.
    public var baseDelay: Duration = .seconds(1)
    /// No delay is longer, unless the server asks for it.
    public var maxDelay: Duration = .seconds(60)
    /// Statuses that are tried again, ascending.
    public var statusCodes = [408, 429, 500, 502, 503, 504]
    /// The defaults.
    public init() {}
  }

  /// Which network, by which way.
  public struct Network: Hashable, Sendable {
    /// The version of the Internet Protocol.
    public enum IPVersion: Int, Sendable {
      /// RFC 791.
      case v4 = 4
      /// RFC 8200.
      case v6 = 6
    }
    /// A proxy of the manifest; nil leaves it to the environment.
    public enum Proxy: Hashable, Sendable {
      /// No proxy, whatever the environment says.
      case none
      /// An http, https or socks5 URL, credentials included: never shown. Of background queues it is kept for the agent, as
      /// long as there is something to do in them.
      case url(String)
    }
    /// False waits while the system says that the connection is metered.
    public var allowMetered = true
    /// The name of a network interface.
    public var interface: String?
    /// Only addresses of this version.
    public var ipVersion: IPVersion?
    /// The proxy.
    public var proxy: Proxy?
    /// The defaults.
    public init() {}
  }

  /// Whom to trust. Certificate checks cannot be switched off.
  public struct TLS: Hashable, Sendable {
    /// The lowest version that is spoken.
    public enum Version: String, CaseIterable, Sendable {
      /// RFC 5246.
      case v1_2 = "1.2"
      /// RFC 8446.
      case v1_3 = "1.3"
    }
    /// A file of trusted certificates instead of the system's, an absolute path.
    public var caFile: String?
    /// The client's certificate, an absolute path.
    public var clientCertificate: String?
    /// The client's key, an absolute path.
    public var clientKey: String?
    /// The lowest version.
    public var minVersion = Version.v1_2
    /// The defaults.
    public init() {}
  }

  /// Where transfers live.
  public var mode = Mode.foreground
  /// Files at once: 1 to 64.
  public var concurrency = 3
  /// Parallel requests for one file: 1 to 16.
  public var connectionsPerFile = 1
  /// Connections to one host, over the queue: 1 to 64.
  public var connectionsPerHost = 16
  /// The unit that is confirmed and resumed: 64 KiB to 16 MiB.
  public var chunkSize = ByteCount(1 << 20)
  /// Average payload rate of the whole queue in bytes a second; nil is unlimited.
  public var rate: ByteCount?
  /// How long things may take.
  public var timeouts = Timeouts()
  /// When a failed attempt is tried again.
  public var retry = Retry()
  /// How often progress is reported: 100 ms to 10 s.
  public var progressInterval: Duration = .milliseconds(300)
  /// Which network, by which way.
  public var network = Network()
  /// Whom to trust.
  public var tls = TLS()

  /// The defaults.
  public init() {}
}

/// A queue as the manifest declares it.
public struct QueueDeclaration: Hashable, Sendable {
  /// Its name.
  public let name: QueueName
  /// How its files travel.
  public let configuration: QueueConfiguration

  /// Takes a name and a configuration.
  public init(_ name: QueueName, _ configuration: QueueConfiguration) {
    self.name = name
    self.configuration = configuration
  }
}
