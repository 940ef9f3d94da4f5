package import DLSyncModel

extension ResponseFacts {
  /// The facts of a final response's head. `headers` are the fields that may be shown, where that was found out already.
  package init(
    _ head: ResponseHead, url: SourceURL, offset: Int64, total: Int64?, headers: [HeaderField]? = nil,
    keptHeaders: Bool = true
  ) {
    self.init(
      statusCode: head.statusCode, finalURL: url, total: total, offset: offset, validator: Validator(head),
      acceptsRanges: head.statusCode == 206 || head.lists(.acceptRanges, "bytes"),
      headers: headers ?? head.fields.filter { Redaction.mayShow(responseHeader: $0.name) },
      contentType: head.first(.contentType), keptHeaders: keptHeaders)
  }
}
