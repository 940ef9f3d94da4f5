/// A transfer that is to begin, and who waits for its end.
struct Submission: Sendable {
  let request: TransferRequest
  let continuation: CheckedContinuation<TransferOutcome, Never>
}
