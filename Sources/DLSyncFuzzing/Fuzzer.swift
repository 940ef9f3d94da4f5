import DLSyncTestSupport
import Glibc

/// Tries the readers of manifests and lists on input after input until it is told to stop. Each input follows from the kind
/// and a seed alone: what goes wrong can be tried again.
package struct Fuzzer {
  /// Where inputs come from.
  package enum Kind: String, CaseIterable, Sendable {
    /// Texts that look like manifests.
    case structured
    /// Manifests and lists with their bytes changed.
    case raw
  }

  /// What went wrong, with all that is needed to see it again.
  package struct Finding: Error, CustomStringConvertible {
    package let description: String
  }

  /// More seconds of the processor than any input of this size may take, without optimisation.
  private static let patience = 10.0

  private let kind: Kind

  package init(_ kind: Kind) { self.kind = kind }

  /// One input.
  package func input(seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    switch kind {
    case .structured:
      var generator = ManifestGenerator(random)
      return Array(generator.manifest().utf8)
    case .raw:
      let seeds = Samples.texts
      let index = Int.random(in: 0...seeds.count, using: &random)
      var generator = ManifestGenerator(random)
      let bytes = Array((index < seeds.count ? seeds[index] : generator.manifest()).utf8)
      var mutation = Mutation(random)
      return mutation.mutate(bytes)
    }
  }

  /// Tries one input.
  package func trial(seed: UInt64) throws(Finding) {
    let bytes = input(seed: seed)
    let begun = Self.processorSeconds
    do throws(DecoderTrial.Violation) {
      try DecoderTrial(bytes).run()
    } catch {
      throw finding(error.message, seed, bytes)
    }
    let seconds = Self.processorSeconds - begun
    guard seconds < Self.patience else { throw finding("it took \(seconds) s", seed, bytes) }
  }

  /// What this thread has used: a machine that stands still for a while proves nothing.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func finding(_ message: String, _ seed: UInt64, _ bytes: [UInt8]) -> Finding {
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self)
    return Finding(description: "\(kind.rawValue), seed \(seed): \(message)\n--- input\n\(text)\n---")
  }
}
