import DLSyncModel
import Glibc

/// Remembers the fields of the last response line by line: a server sends most of them again with every file, in the same
/// order, and to take them over costs less than to make them anew. Confined to the transfer thread.
final class HeaderMemo {
  private struct Line {
    var bytes: [UInt8]
    var field: HeaderField
    var name: FieldName?
  }

  /// More lines than usual servers send are not worth the memory.
  private static let limit = 24
  private static let lengthLimit = 256

  private var lines: [Line] = []

  /// The field that the same line gave at the same place, if there was one.
  func field(at place: Int, _ line: UnsafeRawBufferPointer) -> (field: HeaderField, name: FieldName?)? {
    guard place < lines.count, lines[place].bytes.count == line.count else { return nil }
    let isSame = lines[place].bytes.withUnsafeBytes { memcmp($0.baseAddress!, line.baseAddress!, line.count) == 0 }
    return isSame ? (lines[place].field, lines[place].name) : nil
  }

  func remember(_ field: HeaderField, _ name: FieldName?, at place: Int, _ line: UnsafeRawBufferPointer) {
    guard place <= lines.count, place < Self.limit, !line.isEmpty, line.count <= Self.lengthLimit else { return }
    let known = Line(bytes: Array(line), field: field, name: name)
    if place == lines.count { lines.append(known) } else { lines[place] = known }
  }
}
