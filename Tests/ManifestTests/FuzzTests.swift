import DLSyncFuzzing
import Testing

/// A few seconds of what `make fuzz` does for longer; always the same inputs.
@Suite struct FuzzTests {
  @Test(arguments: Fuzzer.Kind.allCases) func noInputBreaksAReader(_ kind: Fuzzer.Kind) throws {
    let fuzzer = Fuzzer(kind)
    for seed in 1...UInt64(400) { try fuzzer.trial(seed: seed) }
  }

  @Test func oneSeedIsOneInput() {
    for kind in Fuzzer.Kind.allCases { #expect(Fuzzer(kind).input(seed: 7) == Fuzzer(kind).input(seed: 7)) }
  }
}
