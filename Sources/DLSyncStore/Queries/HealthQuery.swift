/// What is wrong inside of a database that opens and has its tables.
struct HealthQuery {
  let connection: Connection

  /// More of them say no more than these.
  private static let limit = 20

  /// One sentence for each trouble. Reads every page.
  func troubles() throws(StoreFailure) -> [String] {
    var troubles: [String] = []
    let pages = try connection.statement("PRAGMA integrity_check(20)")
    while try pages.step() {
      let text = pages.text(0)
      if text != "ok" { troubles += text.split(separator: "\n").map(String.init) }
    }
    let references = try connection.statement("PRAGMA foreign_key_check")
    while try references.step() {
      troubles.append("row \(references.integer(1)) of \(references.text(0)) belongs to no \(references.text(2))")
    }
    return Array(troubles.prefix(Self.limit))
  }
}
