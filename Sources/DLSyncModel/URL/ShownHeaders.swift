/// Remembers which response fields may be shown (`Redaction.mayShow`): servers send the same dozen names with every file,
/// and judging a name takes longer than all else that a small response costs us. Confined to whoever makes it.
package final class ShownHeaders {
  /// A hostile server could send ever new names.
  private static let limit = 256

  private var known: [String: Bool] = [:]
  /// The last fields all of which may be shown.
  private var last: [HeaderField] = []

  package init() {}

  /// The fields without those that carry secrets.
  package func select(_ fields: [HeaderField]) -> [HeaderField] {
    // Mostly the names of the last response, in the same order, and the same strings.
    if fields.count == last.count, zip(fields, last).allSatisfy({ $0.name == $1.name }) { return fields }
    guard fields.allSatisfy({ mayShow($0.name) }) else { return fields.filter { mayShow($0.name) } }
    last = fields
    return fields
  }

  private func mayShow(_ name: String) -> Bool {
    if let answer = known[name] { return answer }
    let answer = Redaction.mayShow(responseHeader: name)
    if known.count < Self.limit { known[name] = answer }
    return answer
  }
}
