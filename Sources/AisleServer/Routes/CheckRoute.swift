import AisleCatalog
import AisleCore
import AisleItems
import Hummingbird
import LearnedStrategy

/// `POST /v1/check`: a language model looks at a list, and proposes other sections.
struct CheckRoute: Sendable {
  let stores: StoreRoom
  let corrections: CorrectionRoom
  let model: ModelRoom

  /// An item of a list, as whoever keeps the list has it.
  struct Item: Decodable {
    let id: Identifier?
    let name: String
    let category: String?
  }

  /// What a caller calls an item: a text or a number, given back as it came.
  enum Identifier: Codable, Hashable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Int.self) { self = .number(number) } else { self = .text(try value.decode(String.self)) }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .text(let text): try value.encode(text)
      case .number(let number): try value.encode(number)
      }
    }

    /// As records have it.
    var field: RecordFields.Value {
      switch self {
      case .text(let text): .text(text)
      case .number(let number): .json("\(number)")
      }
    }

    init?(_ field: RecordFields.Value?) {
      switch field {
      case .text(let text): self = .text(text)
      case .json(let json): self = Int(json).map { .number($0) } ?? .text(json)
      case nil: return nil
      }
    }
  }

  /// The most items of a list that is checked.
  private static let most = 1000

  /// A list whose items stand where they are said to, or else where the chain puts them; and the sections where each stands.
  ///
  /// - Parameter id: What an item is called in the list.
  /// - Throws: `Problem`; what the chain throws.
  static func list(_ items: [Item], in store: ServedStore, id: (Int) -> RecordFields.Value?) async throws
    -> (list: CheckedList, sections: [String])
  {
    guard (1...most).contains(items.count) else {
      throw Problem(.unprocessableContent, "`items` must have 1 to \(most) items")
    }
    let batch = try await store.decide(items.map(\.name))
    var list = CheckedList()
    var sections: [String] = []
    for (index, item) in items.enumerated() {
      // A category that the store does not have is nothing to compare with.
      let given = item.category.flatMap { try? store.taxonomy.place(named: $0, among: store.sections).section }
      list.add(batch, index, given: given, id: id(index))
      sections.append(given ?? batch.sectionName(at: index))
    }
    return (list, sections)
  }

  private struct Question: Decodable {
    let store: String?
    let list: String?
    let items: [Item]
  }

  private struct Answer: Encodable {
    struct Suggestion: Encodable {
      let sent: SuggestionRoutes.Sent
      let item: Identifier?

      enum CodingKeys: String, CodingKey { case item = "item_id" }

      func encode(to encoder: any Encoder) throws {
        try sent.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(item, forKey: .item)
      }
    }

    let suggestions: [Suggestion]
    let undecided: Int
    @OrNull var unchangedSince: String?

    enum CodingKeys: String, CodingKey {
      case suggestions, undecided
      case unchangedSince = "unchanged_since"
    }
  }

  func answer(_ request: Request) async throws -> Response {
    let question = try await request.json(Question.self)
    let store = try stores.store(question.store)
    let (list, _) = try await Self.list(question.items, in: store) { question.items[$0].id?.field }
    let (run, outcome) = try await model.check(list, named: question.list, in: store, corrections)
    let suggestions = outcome.suggestions.flatMap { suggestion in
      let ids = run.ids(of: suggestion.suggestion).map { Identifier($0) }
      return (ids.isEmpty ? [nil] : ids).map { Answer.Suggestion(sent: SuggestionRoutes.Sent(suggestion), item: $0) }
    }
    return try Response(
      json: Answer(
        suggestions: suggestions, undecided: outcome.unanswered.values.reduce(0, +),
        unchangedSince: outcome.unchangedSince.map { Timestamp.full($0) }))
  }
}
