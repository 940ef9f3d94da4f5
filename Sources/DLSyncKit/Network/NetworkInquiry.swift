internal import DLSyncSystem
internal import DLSyncThreading

/// Whether bytes cost money on the present network connection.
enum NetworkCost: Sendable {
  case metered, unmetered
  /// Nobody can tell, which counts as unmetered.
  case unknown
}

/// Asks NetworkManager over the system bus, through the programs that speak to it: `busctl` of systemd, else `dbus-send`.
struct NetworkInquiry: Sendable {
  let environment: [String: String]
  let executor: ThreadExecutor

  /// A bus that does not answer is as good as none.
  private static let limit = Duration.seconds(3)
  private static let service = "org.freedesktop.NetworkManager"
  private static let path = "/org/freedesktop/NetworkManager"
  private static let programs = [
    [
      "busctl", "--system", "--auto-start=no", "--timeout=2", "get-property", service, path,
      service, "Metered",
    ],
    [
      "dbus-send", "--system", "--print-reply=literal", "--reply-timeout=2000", "--dest=" + service,
      path,
      "org.freedesktop.DBus.Properties.Get", "string:" + service, "string:Metered",
    ],
  ]

  func ask() async -> NetworkCost {
    for words in Self.programs {
      let answer = await Program(words: words, environment: environment).answer(
        limit: Self.limit, executor: executor)
      switch answer.end {
      case .notStarted: continue
      case .exited(0), .unknown: return Self.cost(answer.text)
      default: return .unknown
      }
    }
    return .unknown
  }

  /// What `u 1` or `variant uint32 1` says: NMMetered, 1 yes, 2 no, 3 and 4 the same as guesses, 0 unknown.
  static func cost(_ text: String) -> NetworkCost {
    switch text.split(whereSeparator: \.isWhitespace).last.flatMap({ Int($0) }) {
    case 1, 3: .metered
    case 2, 4: .unmetered
    default: .unknown
    }
  }
}
