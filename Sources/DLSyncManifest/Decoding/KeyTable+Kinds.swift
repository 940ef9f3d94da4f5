import DLSyncModel

// The kinds of value that many keys share.
extension KeyTable.Key {
  typealias Place<Value> = any WritableKeyPath<Target, Value> & Sendable

  /// A whole number within a range.
  static func whole(_ name: String, _ place: Place<Int>, in range: ClosedRange<Int>) -> Self {
    .init(name, .whole(range)) { target, node, state in
      if let value = state.whole(node, in: range) { target[keyPath: place] = value }
    }
  }

  /// One of a few words.
  static func choice<Value: RawRepresentable & CaseIterable & Sendable>(_ name: String, _ place: Place<Value>) -> Self
  where Value.RawValue == String {
    .init(name, .words(of: Value.self)) { target, node, state in
      if let value: Value = state.choice(node) { target[keyPath: place] = value }
    }
  }

  /// A duration longer than nothing; with `limits` ("100ms to 10s") within a range.
  static func duration(
    _ name: String, _ place: Place<Duration>,
    in range: ClosedRange<Duration> = .milliseconds(1)...DurationText.longest, limits: String? = nil
  ) -> Self {
    .init(name, .duration(zero: range.lowerBound == .zero)) { target, node, state in
      if let value = state.duration(node, in: range, limits: limits) { target[keyPath: place] = value }
    }
  }

  /// A path relative to the manifest's folder.
  static func path(_ name: String, _ place: Place<String?>) -> Self {
    .init(name, .text) { target, node, state in
      if let value = state.path(node) { target[keyPath: place] = value }
    }
  }

  /// A mapping with a table of its own.
  static func mapping<Value>(_ name: String, _ table: KeyTable<Value>, _ place: Place<Value>) -> Self {
    .init(name, .table(name, table)) { target, node, state in state.decode(node, table, into: &target[keyPath: place]) }
  }
}
