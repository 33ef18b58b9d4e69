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

  init(outcome: Outcome = .complete, items: [Item] = [], claim: UsageClaim = UsageClaim()) {
    self.outcome = outcome
    self.items = items
    self.claim = claim
  }

  /// Reads the items of an answer's blocks together.
  ///
  /// - Throws: `ModelFailure` where none of a complete answer's blocks has items.
  init(_ ending: AnswerEnding) throws(ModelFailure) {
    self.init(outcome: ending.outcome, claim: ending.claim)
    guard outcome == .complete else { return }
    let blocks = ending.answers.compactMap(\.categorizedItems)
    if blocks.isEmpty { throw ModelFailure(.badReply, "the answer has no sections of items", claim: claim) }
    items = blocks.flatMap { $0 }
  }
}

/// How a model's answer ended, and what it says in the form that was asked for.
struct AnswerEnding: Sendable {
  var outcome = Reply.Outcome.complete
  /// The blocks of the answer that are JSON.
  var answers: [JSONValue] = []
  var claim = UsageClaim()

  /// The first of the blocks.
  var answer: JSONValue? { answers.first }
}

extension JSONValue {
  /// The items of an answer: sections by number, as it is asked for, or a list of objects with an id and a section, which servers that
  /// ignore the schema may send. `nil` for anything else; members and elements that are no items are left out.
  var categorizedItems: [Reply.Item]? {
    if let elements = elements ?? self["items"]?.elements { return elements.flatMap(\.listedItems) }
    guard case .object(let members) = self else { return nil }
    let items = members.compactMap { member in member.value.sectionText.map { Reply.Item(id: member.name, section: $0) } }
    return items.isEmpty && !members.isEmpty ? nil : items
  }

  /// The items of one element of a list.
  private var listedItems: [Reply.Item] {
    guard case .object(let members) = self else { return [] }
    guard let id = self["id"] ?? self["number"] else {
      return members.compactMap { member in member.value.string.map { Reply.Item(id: member.name, section: $0) } }
    }
    guard let number = id.string ?? id.count.map({ String($0) }), let section = sectionText else { return [] }
    return [Reply.Item(id: number, section: section)]
  }

  private var sectionText: String? { string ?? self["section"]?.string ?? self["category"]?.string }
}
