import DLSyncModel

extension NotificationTexts {
  /// The keys of `notify`, of a file or of the manifest.
  static let table = KeyTable<NotificationTexts>([
    .init("success", .text) { texts, node, state in texts.success = state.text(node)?.value },
    .init("failure", .text) { texts, node, state in texts.failure = state.text(node)?.value },
  ])
}

extension DecodingState {
  /// Texts for the notification at the end; nil where there are none.
  func notify(_ node: NodeRef) -> NotificationTexts? {
    var texts = NotificationTexts()
    decode(node, NotificationTexts.table, into: &texts)
    return texts == NotificationTexts() ? nil : texts
  }
}
