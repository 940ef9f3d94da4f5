/// A place in a manifest or list.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it, or `-` for standard input.
  public let file: String
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1 in characters.
  public let column: Int

  /// Takes a place.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `FILE:LINE:COLUMN`.
  public var description: String { "\(file):\(line):\(column)" }
}
