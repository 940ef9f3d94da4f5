import DLSyncModel

// Values that only files have.
extension DecodingState {
  /// The name of a declared queue.
  func queue(_ node: NodeRef) -> QueueName? {
    guard let text = text(node), let head else { return nil }
    if let name = head.queueNames[BytewiseText(text.value)] { return name }
    let names = head.queues.map(\.name.text)
    let nearest = text.isLiteral ? NearestName.slip(text.value, among: names) : nil
    report(
      node, text.isLiteral ? "the queue \(text.shown) is not declared" : "this queue is not declared",
      hint: nearest.map { "did you mean `\($0)`?" } ?? "declare it under `queues`", isCertain: false)
    return nil
  }

  /// Words to select by.
  func tags(_ node: NodeRef) -> [String]? {
    guard let items = items(node, expected: "a list of texts") else { return nil }
    var tags: [String] = []
    for (index, item) in items.enumerated() {
      descend(.index(index)) {
        guard let text = text(item) else { return }
        if text.value.isEmpty { report(item, "a tag is empty") } else { tags.append(text.value) }
      }
    }
    return tags
  }

  /// A number from 0 to 1.
  func priority(_ node: NodeRef) -> Double? {
    guard let text = text(node) else { return nil }
    if let value = NumberText.decimal(text.value), (0...1).contains(value) { return value }
    report(node, "\(text.shown) is not a number from 0 to 1, such as `0.5`")
    return nil
  }

  /// Octal mode bits without those that change whose rights a program has.
  func permissions(_ node: NodeRef) -> UInt16? {
    guard let text = text(node) else { return nil }
    let digits = text.value
    let isOctal =
      (1...6).contains(digits.utf8.count)
      && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
    guard isOctal, let mode = UInt32(digits, radix: 8) else {
      report(node, "\(text.shown) is not an octal mode such as `\"0644\"`")
      return nil
    }
    guard !text.isPlain || digits.hasPrefix("0") else {
      report(
        node, "the mode \(text.shown) could be read as a decimal number",
        hint: "put it in quotes, or begin it with 0: `0\(digits)`")
      return nil
    }
    guard mode <= 0o777 else {
      report(
        node, "\(text.shown) is not an octal mode up to `\"0777\"`",
        hint: "the set-user-id, set-group-id and sticky bits are refused")
      return nil
    }
    return UInt16(mode)
  }
}
