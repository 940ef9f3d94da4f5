/// What this machine gives, one thing a line: what `doctor` says.
public struct Diagnosis: Sendable {
  /// One thing that was looked at.
  public struct Item: Sendable {
    /// What it means for dlsync.
    public enum Verdict: String, Sendable {
      /// As it should be.
      case good
      /// Nothing fails; something takes longer, or is worth knowing.
      case notice
      /// Runs will fail.
      case trouble
    }

    /// A stable word for what was looked at: `locks`, `rename`, `space`.
    public let subject: String
    /// What it means for dlsync.
    public let verdict: Verdict
    /// The folder or file that it is about; nil where it is the machine as a whole.
    public let path: String?
    /// What was found.
    public let message: String
    /// What to do, where that is known.
    public let hint: String?

    init(_ subject: String, _ verdict: Verdict, _ message: String, path: String? = nil, hint: String? = nil) {
      self.subject = subject
      self.verdict = verdict
      self.path = path
      self.message = message
      self.hint = hint
    }
  }

  /// In the order in which a run would meet them.
  public internal(set) var items: [Item] = []

  /// 1 where a run would fail, else 0.
  public var exitStatus: Int32 { items.contains { $0.verdict == .trouble } ? 1 : 0 }
}
