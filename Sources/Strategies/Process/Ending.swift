/// Why a conversation with a program ended.
enum Ending: Error {
  case failure(ProcessFailure)
  /// Nobody waits for an answer any more.
  case interrupted

  init(_ strategy: String, _ reason: ProcessFailure.Reason, _ message: String) {
    self = .failure(ProcessFailure(strategy, reason, message))
  }
}
