/// What was found of a state folder.
public struct StateReport: Sendable {
  /// One thing that is not as it should be.
  public struct Finding: Sendable {
    /// How bad it is.
    public enum Severity: String, Sendable {
      /// No run can work with the state.
      case unusable
      /// It works, and somebody should mend it.
      case trouble
      /// It harms nothing.
      case notice
    }

    /// How bad it is.
    public let severity: Severity
    /// The file or folder.
    public let path: String
    /// What is wrong with it.
    public let message: String
    /// What to do, where that is known.
    public let hint: String?
  }

  /// The path of the database.
  public let database: String
  /// Whether anything was ever recorded there.
  public internal(set) var isThere = false
  /// Recorded tasks; nil where they cannot be read.
  public internal(set) var taskCount: Int?
  /// In the order of their gathering.
  public internal(set) var findings: [Finding] = []

  init(database: String) { self.database = database }

  /// 0 healthy, 1 something should be mended, 4 unusable.
  public var exitStatus: Int32 {
    if findings.contains(where: { $0.severity == .unusable }) { return 4 }
    return findings.contains { $0.severity == .trouble } ? 1 : 0
  }
}
