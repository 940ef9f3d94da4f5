/// Punycode (RFC 3492): letters of any script as letters, digits and hyphens, for names in the DNS.
enum Punycode {
  // Section 5: the parameters of Punycode.
  private static let (base, tMin, tMax, skew, damp, initialBias, initialN) = (36, 1, 26, 38, 700, 72, 0x80)

  /// The coded text without its prefix `xn--`, or nil when the numbers grow beyond what the algorithm may hold.
  static func encode(_ text: some Collection<Unicode.Scalar>) -> String? {
    var output = text.filter(\.isASCII).map { UInt8($0.value) }
    let basic = output.count
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    var (n, delta, bias, handled) = (initialN, 0, initialBias, basic)
    while handled < text.count {
      let next = text.lazy.map { Int($0.value) }.filter { $0 >= n }.min()!
      let (product, overflow) = (next - n).multipliedReportingOverflow(by: handled + 1)
      guard !overflow, product <= Int(Int32.max) - delta else { return nil }
      delta += product
      n = next
      for scalar in text {
        if scalar.value < n { delta += 1 }
        guard scalar.value == n else { continue }
        append(delta, bias, to: &output)
        bias = adapted(delta, points: handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// One number of variable length (section 3.3).
  private static func append(_ number: Int, _ bias: Int, to output: inout [UInt8]) {
    var (rest, k) = (number, base)
    while true {
      let threshold = min(max(k - bias, tMin), tMax)
      guard rest >= threshold else { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      k += base
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 97 : value - 26 + 48) }

  /// Section 6.1.
  private static func adapted(_ delta: Int, points: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / points
    var k = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + skew)
  }
}
