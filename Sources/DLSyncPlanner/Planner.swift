package import DLSyncModel

/// Compares what a manifest wants with what is recorded and what was seen on disk, and says what is to be done. A pure
/// function: it reads no clock, no file and no database, and the same inputs give the same plan.
///
/// A million entries are planned in seconds. Whoever asks more than one question prepares once:
///
///     let preparation = Planner(options: options).prepare(manifest, stored)
///     survey.recorded = look(at: preparation.sources(survey))
///     survey.digests = read(preparation.questions(survey))
///     let plan = preparation.plan(survey)
package struct Planner: Sendable {
  private let options: PlanningOptions

  package init(options: PlanningOptions) { self.options = options }

  /// Finds out everything that does not depend on the disk.
  package func prepare(_ manifest: Manifest, _ stored: StoredState) -> Preparation {
    Preparation(manifest, stored, options)
  }

  /// Files whose bytes must be read before a decision is possible, in the manifest's order.
  package func questions(_ manifest: Manifest, _ stored: StoredState, _ survey: DiskSurvey) -> [HashRequest] {
    prepare(manifest, stored).questions(survey)
  }

  /// The plan. A file that a question named and that has no digest in the survey counts as unreadable.
  package func plan(_ manifest: Manifest, _ stored: StoredState, _ survey: DiskSurvey) -> Plan {
    prepare(manifest, stored).plan(survey)
  }
}
