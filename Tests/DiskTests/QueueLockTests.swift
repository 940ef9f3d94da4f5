import DLSyncDisk
import DLSyncModel
import DLSyncTestSupport
import Glibc
import Testing

@Suite struct QueueLockTests {
  @Test func oneHolderAtATime() throws {
    let scratch = try Scratch()
    let folder = scratch("run")
    #expect(QueueLock.holder(folder: folder, name: "q") == nil)
    #expect(!scratch.exists("run"), "asking makes nothing")
    let lock = try QueueLock.take(folder: folder, name: "q")
    #expect(QueueLock.holder(folder: folder, name: "q") == getpid())
    let error = try #require(throws: DLSyncError.self) { try QueueLock.take(folder: folder, name: "q") }
    #expect(error.code == .stateLocked)
    #expect(error.message.contains("\(getpid())"))
    let other = try QueueLock.take(folder: folder, name: "other")
    lock.release()
    #expect(QueueLock.holder(folder: folder, name: "q") == nil)
    let again = try QueueLock.take(folder: folder, name: "q")
    other.release()
    lock.release()
    #expect(QueueLock.holder(folder: folder, name: "q") == getpid(), "a lock that was given back cannot end another's")
    again.release()
  }

  @Test func folderAndFilesAreForTheOwnerAlone() throws {
    let scratch = try Scratch()
    let lock = try QueueLock.take(folder: scratch("run"), name: "q")
    #expect(try #require(scratch.status("run")).st_mode & 0o777 == 0o700)
    #expect(try #require(scratch.status("run/q.lock")).st_mode & 0o777 == 0o600)
    lock.release()
  }

  @Test func processWhoseEndNobodyNotedHoldsNothing() throws {
    let scratch = try Scratch()
    try scratch.folder("run")
    let process = try #require(spawn(["true"]))
    defer { _ = wait(for: process) }
    // Field 22 is its start; the name in parentheses holds no blank here.
    var fields: [Substring] = []
    let isZombie = until {
      let text = String(decoding: (try? FileText.read("/proc/\(process)/stat", limit: 4096)) ?? [], as: UTF8.self)
      fields = text.split(separator: " ")
      return fields.count > 21 && fields[2] == "Z"
    }
    try #require(isZombie)
    try scratch.file("run/q.lock", Array("\(process) \(fields[21])\n".utf8))
    #expect(QueueLock.holder(folder: scratch("run"), name: "q") == nil)
    try QueueLock.take(folder: scratch("run"), name: "q").release()
  }

  @Test(.enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs python3"))
  func lockOfAnotherProcessEndsWithIt() throws {
    let scratch = try Scratch()
    try scratch.folder("run")
    let script = """
      import fcntl, os, sys, time
      f = open(sys.argv[1], "w"); fcntl.lockf(f, fcntl.LOCK_EX)
      f.write(f"{os.getpid()} 0\\n"); f.flush(); open(sys.argv[1] + ".ready", "w").close(); time.sleep(60)
      """
    let process = try #require(spawn(["python3", "-c", script, scratch("run/q.lock")]))
    var isOver = false
    func end() {
      guard !isOver else { return }
      isOver = true
      kill(process, SIGKILL)
      _ = wait(for: process)
    }
    defer { end() }
    try #require(until { scratch.exists("run/q.lock.ready") })
    let inside = scratch.content("run/q.lock").flatMap {
      Int32(String(decoding: $0.prefix { $0 != 32 }, as: UTF8.self))
    }
    #expect(QueueLock.holder(folder: scratch("run"), name: "q") == inside)
    let error = #expect(throws: DLSyncError.self) { try QueueLock.take(folder: scratch("run"), name: "q") }
    #expect(error?.code == .stateLocked)
    #expect(error?.message.contains("process \(inside ?? -1)") == true, "\(String(describing: error))")
    end()
    #expect(until { QueueLock.holder(folder: scratch("run"), name: "q") == nil })
    _ = try QueueLock.take(folder: scratch("run"), name: "q")
  }

  @Test func noteOfALivingProcessHoldsWhereLocksDoNot() throws {
    let scratch = try Scratch()
    let lock = try QueueLock.take(folder: scratch("run"), name: "q")
    let note = try #require(scratch.content("run/q.lock"))
    // The same process wrote it, which is then the holder; another living one of that start would be refused.
    try scratch.file("run/ended.lock", Array("999999999 12345\n".utf8))
    #expect(QueueLock.holder(folder: scratch("run"), name: "ended") == nil)
    let parent = try #require(startTime(of: getppid()))
    try scratch.file("run/alive.lock", Array("\(getppid()) \(parent)\n".utf8))
    #expect(QueueLock.holder(folder: scratch("run"), name: "alive") == getppid())
    #expect(throws: DLSyncError.self) { try QueueLock.take(folder: scratch("run"), name: "alive") }
    try scratch.file("run/reused.lock", Array("\(getppid()) \(parent + 1)\n".utf8))
    _ = try QueueLock.take(folder: scratch("run"), name: "reused")
    #expect(String(decoding: note, as: UTF8.self).hasPrefix("\(getpid()) "))
    lock.release()
  }

  @Test(arguments: ["../x", "a/b", ".", "", "ü", String(repeating: "long", count: 100)])
  func anyNameIsAFileInTheFolder(name: String) throws {
    let scratch = try Scratch()
    let lock = try QueueLock.take(folder: scratch("run"), name: name)
    #expect(scratch.names("run").count == 1)
    #expect(scratch.names() == ["run"])
    #expect(throws: DLSyncError.self) { try QueueLock.take(folder: scratch("run"), name: name) }
    lock.release()
  }

  @Test func stateThatCannotHoldLocksIsUnavailable() throws {
    let scratch = try Scratch()
    try scratch.file("run")
    let error = try #require(throws: DLSyncError.self) { try QueueLock.take(folder: scratch("run"), name: "q") }
    #expect(error.code == .stateUnavailable)
    #expect(error.message.contains(scratch("run/q.lock")))
  }

  private func startTime(of process: pid_t) -> UInt64? {
    guard let bytes = try? FileText.read("/proc/\(process)/stat", limit: 4096) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.lastIndex(of: ")").flatMap { UInt64(text[text.index(after: $0)...].split(separator: " ")[19]) }
  }
}
