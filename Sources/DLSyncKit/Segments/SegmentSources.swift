internal import DLSyncModel
internal import DLSyncTransfer

/// A URL that bytes of a file may be asked of, and what requests to its origin carry.
struct FetchSource: Sendable {
  let url: SourceURL
  let headers: [HeaderField]
}

/// Where the segments of one file come from: the source that the attempt asks, and mirrors that serve beside it. A value
/// that decides and does nothing.
///
/// The first source tells what the resource is. A mirror is asked by one connection until it has shown that it has the same
/// resource: the same length, and the same strong validator unless a declared checksum proves the whole in the end. It is
/// asked by its own validator then. Whatever it fails by is its own affair: the others go on.
struct SegmentSources {
  typealias Index = Int

  struct Source {
    let source: FetchSource
    /// Where ranges are asked: where the last good response came from, until that stops answering; nil asks the URL itself.
    var target: SourceURL?
    /// What ranges are asked by.
    var validator: Validator?
    /// Connections at once, as far as it has refused none.
    var allowed: Int
    /// Whether a response has shown that it has the resource.
    var isKnown: Bool
    /// The target that has answered who asked it directly.
    var provenTarget: SourceURL?
    /// Whether targets serve only who comes by a redirect: with its cookie, or once.
    var refusesDirectly = false

    var url: SourceURL { target ?? source.url }

    /// A target that was reached by another origin is not asked directly where that would be with the headers that were
    /// lost on the way: somebody else chose it.
    mutating func take(target facts: ResponseFacts) {
      let mayAsk = source.headers.isEmpty || facts.keptHeaders || facts.finalURL.origin != source.url.origin
      target = mayAsk && !refusesDirectly ? facts.finalURL : nil
    }
  }

  private var sources: [Source]
  /// Connections at once, over all sources.
  private let limit: Int
  /// Whether a declared checksum proves the whole in the end.
  private let provesWhole: Bool

  init(_ first: FetchSource, mirrors: [FetchSource], limit: Int, provesWhole: Bool) {
    self.limit = limit
    self.provesWhole = provesWhole
    sources = ([first] + mirrors).enumerated().map { index, source in
      Source(source: source, allowed: limit, isKnown: index == 0)
    }
  }

  subscript(_ index: Index) -> Source { sources[index] }

  /// Connections that may be open: at least one, to whoever is asked first.
  func room(running: [Index: Int]) -> Int {
    let free = sources.indices.reduce(0) { $0 + max(0, allowed($1) - running[$1, default: 0]) }
    let open = running.values.reduce(0, +)
    return min(limit, open + free)
  }

  /// Whom the next connection asks: whoever has the fewest, in their order; nil where nobody may be asked.
  func next(running: [Index: Int]) -> Index? {
    sources.indices.filter { running[$0, default: 0] < allowed($0) }
      .min { (running[$0, default: 0], $0) < (running[$1, default: 0], $1) }
  }

  private func allowed(_ index: Index) -> Int {
    sources[index].isKnown ? sources[index].allowed : min(1, sources[index].allowed)
  }

  /// The first source is good, and this is what it has. Without a strong validator and a checksum nobody may join in.
  mutating func begin(_ facts: ResponseFacts) {
    sources[0].validator = facts.validator
    sources[0].take(target: facts)
    if facts.validator == nil, !provesWhole { leaveAlone() }
  }

  /// A range came from a source. Throws `resourceChanged` where that may be another resource than the first source's.
  /// `asked` is the URL that the request was for.
  mutating func accept(_ facts: ResponseFacts, from index: Index, asked: SourceURL) throws(DLSyncError) {
    if index > 0, !sources[index].isKnown {
      guard provesWhole || facts.validator == sources[0].validator else {
        throw DLSyncError(
          .resourceChanged, "the mirror \"\(facts.finalURL.shown)\" may have another version")
      }
      sources[index].isKnown = true
      sources[index].validator = facts.validator
    }
    if asked != sources[index].source.url { sources[index].provenTarget = asked }
    sources[index].take(target: facts)
  }

  /// Whether bytes of this source may be of another resource as long as the whole is not proven.
  func isUnproven(_ index: Index) -> Bool {
    index > 0
      && (sources[index].validator == nil || sources[index].validator != sources[0].validator)
  }

  /// A target has expired: the source's own URL leads to a new one. One that never answered who asked it directly is
  /// the last that is asked so.
  mutating func forget(_ target: SourceURL, of index: Index) {
    // What an older one says late tells nothing of the present one.
    guard sources[index].target == target else { return }
    if sources[index].provenTarget != target { sources[index].refusesDirectly = true }
    sources[index].target = nil
  }

  /// The source has enough of us, or is not worth more connections than these.
  mutating func lower(_ index: Index, to count: Int) {
    sources[index].allowed = min(sources[index].allowed, count)
  }

  /// The first source serves alone from now on.
  mutating func leaveAlone() {
    for index in sources.indices.dropFirst() { sources[index].allowed = 0 }
  }
}
