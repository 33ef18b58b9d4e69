import AisleCore

/// What a model answered to one request, as it stands there: nothing is checked yet.
struct Reply: Sendable {
  /// How the answer ended.
  enum Outcome: Sendable { case complete, truncated, refused }

  /// An item's answer.
  struct Item: Sendable {
    let id: String
    let section: String
  }

  var outcome = Outcome.complete
  var items: [Item] = []
  var claim = UsageClaim()
}

/// How a model's answer ended, and what it says in the form that was asked for.
struct AnswerEnding: Sendable {
  var outcome = Reply.Outcome.complete
  /// The answer; `nil` where it has not that form.
  var answer: JSONValue?
  var claim = UsageClaim()
}
