import Testing

/// The model of a disk that loses what was not flushed, held against what POSIX promises.
@Suite struct VolatileDiskTests {
  private func files(_ effects: [Effect], _ image: VolatileDisk.Image) -> [String: [UInt8]] {
    var disk = VolatileDisk(files: ["/d/old": [1]], folders: ["/", "/d"])
    for effect in effects { disk.apply(effect) }
    return disk.files(after: image)
  }

  private let written: [Effect] = [
    .made(path: "/d/new", truncating: false), .written(path: "/d/new", [7, 8], offset: 0),
  ]

  @Test func whatWasNotFlushedMayBeLost() {
    #expect(files(written, .onlyFlushed) == ["/d/old": [1]])
    #expect(files(written, .namesFirst) == ["/d/old": [1], "/d/new": []])
    #expect(files(written, .namesAndLengths) == ["/d/old": [1], "/d/new": [0, 0]])
    #expect(files(written, .dataFirst) == ["/d/old": [1]])
  }

  @Test func flushedDataNeedsAFlushedName() {
    let flushed = written + [.flushed(path: "/d/new")]
    #expect(files(flushed, .onlyFlushed) == ["/d/old": [1]])
    #expect(files(flushed + [.flushed(path: "/d")], .onlyFlushed) == ["/d/old": [1], "/d/new": [7, 8]])
  }

  @Test func aMoveIsDurableWithItsFolder() {
    let moved = written + [.flushed(path: "/d/new"), .flushed(path: "/d"), .moved(from: "/d/new", to: "/d/final")]
    #expect(files(moved, .onlyFlushed)["/d/new"] == [7, 8])
    #expect(files(moved, .namesFirst)["/d/final"] == [7, 8])
    #expect(files(moved + [.flushed(path: "/d")], .onlyFlushed)["/d/final"] == [7, 8])
  }

  @Test func aNewFolderIsLostWithItsName() {
    let made: [Effect] = [
      .folderMade(path: "/d/e"), .made(path: "/d/e/f", truncating: false), .flushed(path: "/d/e/f"),
      .flushed(path: "/d/e"),
    ]
    #expect(files(made, .onlyFlushed)["/d/e/f"] == nil)
    #expect(files(made + [.flushed(path: "/d")], .onlyFlushed)["/d/e/f"] == [])
    #expect(files(made + [.allFlushed], .onlyFlushed)["/d/e/f"] == [])
  }
}
