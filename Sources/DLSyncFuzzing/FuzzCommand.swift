import DLSyncThreading
import Glibc

/// `dlsync-fuzz KIND SECONDS [SEED]`: tries inputs for so long; stops at the first that goes wrong, and when memory grows
/// beyond 256 MiB. A crash or a hang ends the process by a signal: the seed of the input is then the last word in the file
/// `dlsync-fuzz.KIND.seed`.
package enum FuzzCommand {
  private static let memoryLimit = 256 << 10

  /// Runs, and answers the exit status.
  package static func run(_ arguments: [String]) -> Int32 {
    guard arguments.count == 2 || arguments.count == 3, let kind = Fuzzer.Kind(rawValue: arguments[0]),
      let seconds = Double(arguments[1]), let first = arguments.count == 3 ? UInt64(arguments[2]) : randomSeed()
    else {
      say("usage: dlsync-fuzz structured|raw SECONDS [SEED]")
      return 2
    }
    let fuzzer = Fuzzer(kind)
    let note = open("dlsync-fuzz.\(kind.rawValue).seed", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    let begun = MonotonicInstant.now
    var seed = first
    say("\(kind.rawValue), \(seconds) s, from seed \(first)")
    while MonotonicInstant.now.seconds(since: begun) < seconds {
      let text = Array("\(seed)\n".utf8)
      pwrite(note, text, text.count, 0)
      // An input that is never done with ends the process.
      alarm(300)
      do throws(Fuzzer.Finding) { try fuzzer.trial(seed: seed) } catch {
        say("\(error)")
        return 1
      }
      seed &+= 1
      if seed &- first & 0x3ff == 0, peakKilobytes > memoryLimit {
        say("\(kind.rawValue), seed \(seed): memory grew to \(peakKilobytes) KiB")
        return 1
      }
    }
    alarm(0)
    say("\(seed &- first) inputs, nothing found; at most \(peakKilobytes) KiB")
    return 0
  }

  private static func randomSeed() -> UInt64? { UInt64.random(in: 0..<1 << 48) }

  /// The largest size that the process had.
  private static var peakKilobytes: Int {
    let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  private static func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    write(2, bytes, bytes.count)
  }
}
