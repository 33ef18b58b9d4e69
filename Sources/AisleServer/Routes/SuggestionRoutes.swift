import AisleCore
import Hummingbird
import LearnedStrategy

/// `/v1/suggestions`: what waits for a person, and what the person decides.
struct SuggestionRoutes: Sendable {
  let stores: StoreRoom
  let corrections: CorrectionRoom

  /// A suggestion as it is sent.
  struct Sent: Encodable {
    let id: Int
    let store: String
    let item: String
    let from: String
    let to: String
    let shelf: String?
    let confidence: Double?
    let by: String
    let model: String?
    let time: String

    init(_ numbered: NumberedSuggestion) {
      let suggestion = numbered.suggestion
      id = numbered.id
      (store, item, from, to) = (suggestion.store, suggestion.item, suggestion.from, suggestion.to)
      (shelf, confidence) = (suggestion.shelf, suggestion.confidence)
      (by, model) = (suggestion.origin.proposer, suggestion.origin.model)
      time = Timestamp.full(suggestion.origin.time)
    }
  }

  /// What waits, oldest first.
  func list(_ query: Query) async throws -> Response {
    let store = try query.text("store").map { try stores.store($0).id }
    let waiting = try await corrections.read { try $0.suggestions() } ?? []
    let sent = waiting.filter { store == nil || $0.suggestion.store == store }.map { Sent($0) }
    return try Response(json: ["suggestions": sent])
  }

  private struct Proposal: Decodable {
    struct Suggestion: Decodable {
      let item: String
      let to: String
      let confidence: Double?
      let by: String?
      let model: String?
    }

    let store: String?
    let suggestions: [Suggestion]
  }

  /// Proposes other sections. Nothing is learned before a person accepts.
  func propose(_ request: Request, _ caller: Caller) async throws -> Response {
    let proposal = try await request.json(Proposal.self)
    guard (1...Limits.items).contains(proposal.suggestions.count) else {
      throw Problem(.unprocessableContent, "`suggestions` must have 1 to \(Limits.items) entries")
    }
    let store = try stores.store(proposal.store)
    let batch = try await store.decide(proposal.suggestions.map(\.item))
    var suggestions: [Suggestion] = []
    var places: [Int] = []
    for (index, proposed) in proposal.suggestions.enumerated() {
      if let confidence = proposed.confidence, !(0...1).contains(confidence) {
        throw Problem(.unprocessableContent, "`suggestions[\(index)].confidence` must be a number in 0…1")
      }
      let place = try store.place(proposed.to)
      let present = batch.sectionName(at: index)
      if place.section == present { continue }
      suggestions.append(
        Suggestion(
          store: store.id, item: proposed.item, from: present, to: place.section, shelf: place.shelf,
          confidence: proposed.confidence,
          origin: Origin(proposer: caller.person(proposed.by), model: proposed.model, time: Timestamp.now)
        ))
      places.append(index)
    }
    var waiting = [Int?](repeating: nil, count: proposal.suggestions.count)
    if !suggestions.isEmpty {
      let outcomes = try await corrections.change(for: store) { [suggestions] file throws(CorrectionStoreError) in
        try file.propose(suggestions)
      }
      for (place, outcome) in zip(places, outcomes) { waiting[place] = outcome.waiting }
    }
    return try Response(json: ["waiting": waiting])
  }

  private struct Decision: Decodable {
    let ids: [Int]
    let verdict: String
    let section: String?
    let by: String?
  }

  private struct Decided: Encodable {
    let action: Int
    let decided: Int
  }

  /// Accepts or dismisses, all or none.
  func decide(_ request: Request, _ caller: Caller) async throws -> Response {
    let decision = try await request.json(Decision.self)
    guard let verdict = CorrectionStore.Verdict(rawValue: decision.verdict) else {
      throw Problem(.unprocessableContent, "`verdict` must be accept or dismiss")
    }
    guard (1...Limits.items).contains(decision.ids.count) else {
      throw Problem(.unprocessableContent, "`ids` must have 1 to \(Limits.items) numbers of suggestions")
    }
    let ids = Set(decision.ids)
    let meant = try await corrections.read { try $0.suggestions(numbered: ids.sorted()) } ?? []
    if let unknown = ids.subtracting(meant.map(\.id)).min() {
      throw Problem(.notFound, "no suggestion \(unknown); /v1/suggestions lists those that wait")
    }
    if let gone = meant.first(where: { $0.suggestion.state != .pending }) {
      throw Problem(.conflict, "suggestion \(gone.id) is already \(gone.suggestion.state.rawValue)")
    }
    guard let id = meant.first?.suggestion.store, meant.allSatisfy({ $0.suggestion.store == id }) else {
      throw Problem(.unprocessableContent, "the suggestions are of several stores; decide those of one store at a time")
    }
    let store = try stores.store(id)
    let section = try decision.section.map { try store.place($0).section }
    if verdict == .accept, section == nil, let lost = meant.first(where: { store.sectionID($0.suggestion.to) == nil }) {
      throw Problem(
        .unprocessableContent,
        "\(id) has no section \(lost.suggestion.to); name another one with `section`, or dismiss suggestion \(lost.id)")
    }
    let person = caller.person(decision.by)
    do {
      let outcome = try await corrections.change(for: store) { file throws(CorrectionStoreError) in
        try file.decide(decision.ids, verdict, section: section, by: person, time: Timestamp.now)
      }
      return try Response(json: Decided(action: outcome.action, decided: outcome.suggestions.count))
    } catch let error as CorrectionStoreError where error.kind == .invalid { throw Problem(.conflict, error.reason) }
  }
}
