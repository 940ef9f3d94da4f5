import DLSyncModel

/// Every file, attempt and wait of a run along its time: a row for each file while they are few, else packed into as few
/// rows as there were files at once.
struct HTMLTimeline {
  private let files: [ReportedFile]
  private let spans: [RunHistory.Span]
  private let axis: TimeAxis
  private static let mostRows = 150

  init(_ run: RunRecord, _ files: [ReportedFile]) {
    self.files = files
    spans = run.history.spans
    axis = TimeAxis(seconds: run.length)
  }

  func write(to channel: OutputChannel) {
    guard !spans.isEmpty else { return }
    channel.write("<h2>Timeline</h2>\n<figure class=\"plot\"><p class=\"legend\">")
    for (kind, word) in Self.words where spans.contains(where: { $0.kind == kind }) {
      channel.write("<span><i class=\"\(Self.mark(kind))\"></i>\(word)</span>")
    }
    let busy = Dictionary(grouping: spans, by: \.file).sorted { $0.value[0].start < $1.value[0].start }
    let hasFailures = busy.contains { files[Int($0.key)].result.isTrouble }
    if hasFailures { channel.write("<span><i class=\"x\"></i>failed</span>") }
    channel.write("</p>")
    if busy.count <= Self.mostRows { writeRows(busy, to: channel) } else { writeLanes(busy, to: channel) }
    channel.write("</figure>\n")
  }

  private static let words: [(RunHistory.Span.Kind, String)] = [
    (.fetching, "fetching"), (.waiting, "waiting to try again"), (.verifying, "verifying"), (.publishing, "publishing"),
  ]

  private static func mark(_ kind: RunHistory.Span.Kind) -> String {
    switch kind {
    case .fetching: "g"
    case .waiting: "w"
    case .verifying: "v"
    case .publishing: "u"
    }
  }

  /// A row with its name for each file.
  private func writeRows(_ busy: [(key: Int32, value: [RunHistory.Span])], to channel: OutputChannel) {
    channel.write("<div class=\"rows\">\n")
    for (file, spans) in busy {
      let file = files[Int(file)]
      let name = Markup.escaped(file.name)
      channel.write("<div><b title=\"\(name)\"><bdi>\(name)</bdi></b><span>")
      var attempt = 0
      for span in spans {
        if span.kind == .fetching { attempt += 1 }
        write(span, attempt: attempt, to: channel)
      }
      if file.result.isTrouble, let last = spans.last {
        let title = file.error?.code.text ?? file.result.word
        channel.write(
          "<i class=\"x\" style=\"left:min(\(axis.percent(Double(last.end)))%,100% - 3px)\" title=\"\(title)\"></i>")
      }
      channel.write("</span></div>\n")
    }
    channel.write("</div><div class=\"named\">")
    axis.write(to: channel)
    channel.write("</div>")
  }

  private func write(_ span: RunHistory.Span, attempt: Int, to channel: OutputChannel) {
    let (start, end) = (Double(span.start), Double(span.end))
    let time = Wording.duration(end - start)
    let title =
      switch span.kind {
      case .fetching: "attempt \(attempt): \(time)"
      case .waiting: "waited \(time)"
      case .verifying: "verified in \(time)"
      case .publishing: "published in \(time)"
      }
    let width = TimeAxis.number(max(0, (end - start) / axis.length * 100))
    channel.write("<i class=\"\(Self.mark(span.kind))\" style=\"left:\(axis.percent(start))%;width:\(width)%\"")
    channel.write(" title=\"\(title)\"></i>")
  }

  /// All files in as few rows as possible, one path for each kind of span: small however many there are.
  private func writeLanes(_ busy: [(key: Int32, value: [RunHistory.Span])], to channel: OutputChannel) {
    var lanes = TimelineLanes(seconds: axis.length)
    for (file, spans) in busy { lanes.place(spans, isTrouble: files[Int(file)].result.isTrouble) }
    let height = lanes.count * 10
    // Gaps between rows of a few pixels would be all that one sees.
    let density = lanes.count > 40 ? " dense" : ""
    channel.write(
      "<div class=\"field lanes\(density)\"><svg viewBox=\"0 0 \(TimelineLanes.width) \(height)\" preserveAspectRatio=\"none\""
    )
    channel.write(" style=\"height:\(min(480, max(60, height)))px\" role=\"img\"")
    channel.write(" aria-label=\"\(busy.count) files\">")
    // What is short lies above what is long.
    for kind in [RunHistory.Span.Kind.publishing, .verifying, .fetching, .waiting] {
      channel.write("<path class=\"\(Self.mark(kind))\" d=\"\(lanes.path(of: kind))\"/>")
    }
    channel.write("<path class=\"x\" d=\"\(lanes.troubles)\"/></svg></div>")
    axis.write(to: channel)
    channel.write(
      "<figcaption>\(Grouped.text(busy.count)) files, packed into as few rows as fit; the table has each one</figcaption>"
    )
  }
}
