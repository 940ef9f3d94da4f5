/// A part of a document as flat arrays: nodes in the order of the text, each knowing where its subtree ends. One tree holds
/// one file entry or one key of the top level, and is emptied and used again for the next.
final class Tree {
  struct Node {
    enum Kind: UInt8 {
      case scalar, sequence, mapping, alias
      /// Reported already: decoding passes over it in silence.
      case broken
    }

    let kind: Kind
    /// A scalar without quotes and without a tag that makes it text.
    let isPlain: Bool
    let place: TextPosition
    /// Of a scalar: where its bytes begin. Of an alias: its index in `targets`.
    let start: Int32
    /// Of a scalar: the number of its bytes.
    let length: Int32
    /// The index behind the subtree.
    var end: Int32
  }

  // A tree belongs to one decoding on one thread, and nobody adds to it while somebody reads: to check that at each of
  // hundreds of millions of accesses costs a tenth of the whole reading.
  @exclusivity(unchecked) var nodes: [Node] = []
  @exclusivity(unchecked) var text: [UInt8] = []
  @exclusivity(unchecked) var targets: [NodeRef] = []
  /// Aliases that are still to come may refer to it.
  var hasAnchor = false

  func clear() {
    nodes.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
  }
}
