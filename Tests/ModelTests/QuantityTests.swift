import DLSyncModel
import Testing

/// Sizes, rates and durations, as manifests and options spell them.
@Suite struct QuantityTests {
  @Test(
    arguments: [
      ("0", 0), ("4194304", 4_194_304), ("4MiB", 4_194_304), ("4 MiB", 4_194_304), ("1kB", 1000), ("2K", 2048),
      ("3TB", 3_000_000_000_000),
    ] as [(String, Int64)])
  func sizesAreNumbersWithUnits(_ text: String, _ bytes: Int64) {
    #expect(SizeText.parse(text) == bytes)
  }

  @Test(arguments: [
    "", "x", "-1", "+1", "1.5MiB", "MiB", "1 2", "9999999999999999999", "99999999TiB", "１", "7B", "007",
  ])
  func otherTextIsNoSize(_ text: String) {
    #expect(SizeText.parse(text) == nil)
  }

  @Test func theLongestDurationsDoNotWrap() {
    for duration in [
      Duration.seconds(Int64.max), .seconds(9_223_372_036) + .milliseconds(999), .seconds(9_223_372_037),
    ] {
      #expect(duration.inNanoseconds > 9_000_000_000_000_000_000 && duration.inMilliseconds > 9_000_000_000_000)
    }
    #expect(Duration.nanoseconds(1).inMilliseconds == 1 && Duration.milliseconds(2).inMilliseconds == 2)
    #expect(Duration.nanoseconds(2_000_001).inMilliseconds == 3 && Duration.zero.inMilliseconds == 0)
  }

  @Test func ratesMayEndInASecondAndBeUnlimited() {
    #expect(RateText("20MiB/s")?.limit == ByteCount(20 << 20))
    #expect(RateText("1000")?.limit == ByteCount(1000))
    #expect(RateText("unlimited").map { $0.limit == nil } == true)
    #expect(RateText("0").map { $0.limit == nil } == true)
    #expect(RateText("fast") == nil)
  }

  @Test(
    arguments: [
      ("5", 5000), ("0", 0), ("1d 2h 3m 4s 500ms", 93_784_500), ("1h30m", 5_400_000), ("500ms", 500),
    ] as [(String, Int64)])
  func durationsAreNumbersWithUnits(_ text: String, _ milliseconds: Int64) {
    #expect(DurationText.parse(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "s", " 1s ", "1s 1m", "1s1s", "-1s", "1.5s", "1w", "99999999999999999999d", "999999999999d"])
  func otherTextIsNoDuration(_ text: String) {
    #expect(DurationText.parse(text) == nil)
  }
}
