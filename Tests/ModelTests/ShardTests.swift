import DLSyncModel
import Testing

@Suite struct ShardTests {
  private static func destination(_ text: String, root: String = "/srv") throws -> Destination {
    try Destination(text, root: root)
  }

  @Test(arguments: [1, 2, 3, 7, 64]) func everyFileBelongsToExactlyOnePart(count: Int) throws {
    var sizes = [Int](repeating: 0, count: count)
    for number in 0..<2000 {
      let destination = try Self.destination("folder/file-\(number).bin")
      let parts = (1...count).filter { Shard($0, of: count)!.contains(destination) }
      #expect(parts.count == 1)
      sizes[parts[0] - 1] += 1
    }
    #expect(sizes.allSatisfy { $0 > 2000 / count / 2 && $0 < 2000 / count * 2 + 1 }, "\(sizes)")
  }

  @Test func theRootDoesNotMatter() throws {
    let shard = try #require(Shard("2/5"))
    for number in 0..<100 {
      let here = try Self.destination("f\(number)")
      let there = try Self.destination("f\(number)", root: "/elsewhere/deeper")
      #expect(shard.contains(here) == shard.contains(there))
    }
  }

  @Test(arguments: [
    "", "/", "1", "1/", "/2", "0/3", "4/3", "-1/2", "1/0", "1/2/3", "+1/2", " 1/2", "a/b", "99999999999999999999/2",
  ])
  func otherTextIsNoPart(text: String) { #expect(Shard(text) == nil) }

  @Test func partsAreWrittenAsTheyAreRead() { #expect(Shard("3/8")?.description == "3/8") }
}
