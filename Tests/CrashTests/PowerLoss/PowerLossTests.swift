import DLSyncTestSupport
import Glibc
import Testing

/// The power fails just before each flush of a run. What may be on the disk then is laid out, one image for each kind of loss,
/// and the next run starts from it: no wrong byte at a destination, no conflict, and in the end the same tree. Some of the
/// images, chosen by `DLSYNC_CRASH_SEED`; `DLSYNC_CRASH_IMAGES` asks for more.
@Suite(.enabled(if: Trace.isPossible, "needs strace"), .serialized) struct PowerLossTests {
  @Test(arguments: Scene.allCases)
  func nothingIsLostAtAnyFlush(scene: Scene) throws {
    let world = try KilledWorld(scene, fileCount: 12)
    let start = world.tree
    let trace = try Trace(
      world.sandbox.runner.launch(["apply", world.manifest, "--quiet"]), file: world.sandbox.folder("trace"))
    try #require(trace.result.status == 0, "\(trace.result)")
    #expect(trace.effects.count(where: \.isFlush) > 4)
    var images = images(of: trace.effects, VolatileDisk(files: start.files, folders: start.folders))
    #expect(images.count > 8)
    var random = SeededGenerator(seed: number("DLSYNC_CRASH_SEED") ?? 85)
    images.shuffle(using: &random)
    for image in images.prefix(Int(number("DLSYNC_CRASH_IMAGES") ?? 12)) {
      try world.start(from: image.files)
      try world.finishAfterPowerLoss(image.origin)
    }
  }

  /// What the disk may hold when the power fails just before a flush or at the end; each only once.
  private func images(of effects: [Effect], _ disk: VolatileDisk) -> [(origin: String, files: [String: [UInt8]])] {
    var disk = disk
    var seen: Set<[String: [UInt8]]> = []
    var images: [(origin: String, files: [String: [UInt8]])] = []
    for (index, effect) in effects.enumerated() {
      if effect.isFlush || index == effects.count - 1 {
        for image in VolatileDisk.Image.allCases {
          // The index of a log is made anew by whoever opens it after a loss of power.
          let files = disk.files(after: image).filter { !$0.key.hasSuffix("-shm") }
          guard seen.insert(files).inserted else { continue }
          images.append(("\(image) before effect \(index) of \(effects.count): \(effect.name)", files))
        }
      }
      disk.apply(effect)
    }
    return images
  }

  private func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}

extension Effect {
  fileprivate var name: String {
    switch self {
    case .flushed(let path): "flush of \(path)"
    case .allFlushed: "flush of everything"
    default: "the end"
    }
  }
}

extension KilledWorld {
  /// Every file and folder from the root to what the runs touch.
  fileprivate var tree: (files: [String: [UInt8]], folders: Set<String>) {
    var files: [String: [UInt8]] = [:]
    var folders: Set<String> = ["/"]
    func note(_ path: String) {
      var path = path
      while let end = path.lastIndex(of: "/"), end != path.startIndex {
        path = String(path[..<end])
        folders.insert(path)
      }
    }
    note(sandbox.folder("home/x"))
    note(sandbox.folder("work/x"))
    for name in sandbox.folder.files() {
      let path = sandbox.folder(name)
      files[path] = FileBytes.read(path)
      note(path)
    }
    return (files, folders)
  }

  /// Makes home and working folder be as the power left them.
  fileprivate func start(from files: [String: [UInt8]]) throws {
    sandbox.folder.removeTree("home")
    sandbox.folder.removeTree("work")
    for name in ["home", "work"] { try sandbox.folder.makeFolder(name) }
    let prefix = sandbox.folder.path + "/"
    for (path, bytes) in files where path.hasPrefix(prefix + "home/") || path.hasPrefix(prefix + "work/") {
      try sandbox.folder.write(bytes, to: String(path.dropFirst(prefix.utf8.count)))
    }
  }

  fileprivate func finishAfterPowerLoss(_ when: String) throws {
    for file in files {
      let found = sandbox.published(file.name)
      #expect(found == nil || found == file.wanted || found == file.previous, "\(file.name) has wrong bytes: \(when)")
    }
    let (result, document) = try sandbox.json("apply", manifest)
    #expect(result.status == 0, "\(when)\n\(result)")
    #expect(document["summary"]["conflicts"].integer == 0, "\(when)")
    for file in files { #expect(sandbox.published(file.name) == file.wanted, "\(file.name): \(when)") }
    #expect(holdsNothingElse, "\(when): \(sandbox.folder.files(below: "work/out"))")
  }
}
