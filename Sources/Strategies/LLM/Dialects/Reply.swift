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
  var tokens = TokenUsage()
}
