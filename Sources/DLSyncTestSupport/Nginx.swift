import DLSyncThreading
import Glibc

/// Debian's nginx on a loopback port of its own, with a folder to serve. Stopped, and its files gone, with its last
/// reference.
package final class Nginx: Sendable {
  package let port: UInt16
  private let folder: TemporaryFolder
  private let process: ChildProcess

  /// Starts it and waits until it answers. `extra` is put into the `server` block.
  package init(root: String, extra: String = "") throws {
    guard access(Self.binary, X_OK) == 0 else {
      throw SupportError("nginx is not installed; `scripts/setup test` installs it")
    }
    let folder = try TemporaryFolder("nginx")
    // The port is free now; should somebody take it before nginx does, the next one is tried.
    for _ in 0..<5 {
      let (probe, port) = try Socket.listen(onLoopback: .ipv4, port: 0)
      close(probe)
      let file = try folder.write(Self.configuration(port, root, folder.path, extra), to: "nginx.conf")
      let process = try ChildProcess(
        Launch(
          Self.binary, ["-c", file, "-p", folder.path, "-e", folder("error.log")],
          environment: ["PATH": "/usr/bin:/bin"]))
      if Self.waitForListener(port, process) {
        self.folder = folder
        self.port = port
        self.process = process
        return
      }
      process.kill()
      _ = process.wait(.seconds(5))
    }
    throw SupportError("nginx does not start: \(FileBytes.text(folder("error.log")) ?? "no log")")
  }

  deinit { stop() }

  /// Ends it.
  package func stop() {
    process.send(SIGTERM)
    // It ends with its workers; where it does not in time, all of its group is killed.
    _ = process.wait(.seconds(5))
  }

  /// The URL of a path.
  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// What it wrote to its access log: one line a request, method, target, status, range.
  package var accessLog: [String] {
    (FileBytes.text(folder("access.log")) ?? "").split(separator: "\n").map(String.init)
  }

  private static let binary = "/usr/sbin/nginx"

  private static func configuration(_ port: UInt16, _ root: String, _ folder: String, _ extra: String) -> String {
    """
    daemon off;
    worker_processes 1;
    pid \(folder)/nginx.pid;
    events { worker_connections 1024; }
    http {
      log_format short '$request_method $request_uri $status $http_range';
      access_log \(folder)/access.log short;
      client_body_temp_path \(folder)/body;
      proxy_temp_path \(folder)/proxy;
      fastcgi_temp_path \(folder)/fastcgi;
      uwsgi_temp_path \(folder)/uwsgi;
      scgi_temp_path \(folder)/scgi;
      default_type application/octet-stream;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 1000000;
      server {
        listen 127.0.0.1:\(port) backlog=4096;
        root \(root);
        \(extra)
      }
    }
    """ + (getuid() == 0 ? "\nuser root;\n" : "\n")
  }

  private static func waitForListener(_ port: UInt16, _ process: ChildProcess) -> Bool {
    let end = MonotonicInstant.now.advanced(by: 10_000_000_000)
    while MonotonicInstant.now < end, process.isRunning {
      if Socket.canConnect(to: port) { return true }
      usleep(5000)
    }
    return false
  }
}
