import DLSyncTestSupport
import DLSyncThreading
import Glibc

/// A message bus of its own with a NetworkManager on it that says what it is told to say. Gone with its last reference.
final class SystemBus {
  /// Where there is none, nothing can be tried.
  static let isInstalled = ["/usr/bin", "/bin"].contains { access("\($0)/dbus-daemon", X_OK) == 0 }

  private let folder: TemporaryFolder
  private var processes: [ChildProcess] = []

  /// What `DBUS_SYSTEM_BUS_ADDRESS` has to be.
  var address: String { "unix:path=" + folder("bus") }

  init(metered: Int) throws {
    folder = try TemporaryFolder("bus")
    try say(metered)
    let configuration = try folder.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>session</type><listen>\(address)</listen>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
      <allow own="*"/></policy></busconfig>
      """, to: "bus.conf")
    let environment = ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address]
    processes.append(
      try ChildProcess(
        Launch(
          "/usr/bin/env", ["dbus-daemon", "--nofork", "--config-file", configuration],
          environment: environment)))
    try wait(for: "bus", "dbus-daemon did not start")
    let script = try folder.write(Self.manager, to: "manager.py")
    processes.append(
      try ChildProcess(
        Launch(
          "/usr/bin/python3", [script, folder("metered"), folder("ready")], environment: environment
        )))
    try wait(
      for: "ready",
      "the mock of NetworkManager did not start; it needs python3-jeepney (scripts/setup test)")
  }

  deinit {
    for process in processes.reversed() { process.kill() }
  }

  /// From now on the property `Metered` is this.
  func say(_ metered: Int) throws {
    try folder.write("\(metered)", to: "next")
    rename(folder("next"), folder("metered"))
  }

  private func wait(for file: String, _ trouble: String) throws {
    let end = MonotonicInstant.now.advanced(by: 20_000_000_000)
    while access(folder(file), F_OK) != 0 {
      guard MonotonicInstant.now < end, processes.last?.isRunning == true else {
        throw NotStarted(description: "\(trouble): \(processes.last?.errorsSoFar ?? "")")
      }
      usleep(5000)
    }
  }

  private struct NotStarted: Error, CustomStringConvertible { let description: String }

  private static let manager = """
    import sys
    from jeepney import DBusAddress, MessageType, message_bus, new_method_return
    from jeepney.io.blocking import open_dbus_connection

    connection = open_dbus_connection(bus="SYSTEM")
    connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.NetworkManager"))
    open(sys.argv[2], "w").close()
    while True:
        message = connection.receive()
        if message.header.message_type == MessageType.method_call:
            value = int(open(sys.argv[1]).read())
            connection.send(new_method_return(message, "v", (("u", value),)))

    """
}
