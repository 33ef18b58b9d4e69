import AisleCore
import GRDB

extension CorrectionStore {
  /// What became of a proposal.
  public enum ProposalOutcome: Sendable, Hashable {
    /// It waits for a person, under this number.
    case added(Int)
    /// It waited already, or was accepted before.
    case known(Int)
    /// A person dismissed it before: it is not proposed again.
    case dismissed(Int)
  }

  /// Proposes changes of section, all in one transaction; nothing is learned until a person accepts one.
  ///
  /// A proposal that was made before for the same item, as normalized, and the same two sections is not made again.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func propose(_ suggestions: [Suggestion]) throws(CorrectionStoreError) -> [ProposalOutcome] {
    var keys: [String] = []
    for suggestion in suggestions {
      try check(suggestion.from, "section")
      try check(suggestion.to, "section")
      try check(suggestion.origin.proposer, "proposer")
      keys.append(try key(store: suggestion.store, item: suggestion.item))
    }
    return try write { database in
      let find = try database.cachedStatement(
        sql: "SELECT id, state FROM suggestion WHERE store = ? AND key = ? AND from_section = ? AND to_section = ?")
      let insert = try database.cachedStatement(
        sql: """
          INSERT INTO suggestion (store, key, item, from_section, to_section, shelf, confidence, proposer, model, time, state)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """)
      var outcomes: [ProposalOutcome] = []
      for (suggestion, key) in zip(suggestions, keys) {
        if let row = try Row.fetchOne(find, arguments: [suggestion.store, key, suggestion.from, suggestion.to]) {
          let id: Int = row["id"]
          outcomes.append(row["state"] == Suggestion.State.dismissed.rawValue ? .dismissed(id) : .known(id))
          continue
        }
        try insert.execute(arguments: [
          suggestion.store, key, suggestion.item, suggestion.from, suggestion.to, suggestion.shelf, suggestion.confidence,
          suggestion.origin.proposer, suggestion.origin.model, suggestion.origin.time, suggestion.state.rawValue,
        ])
        outcomes.append(.added(Int(database.lastInsertedRowID)))
      }
      return outcomes
    }
  }

  /// The suggestions in a state, or all, oldest first.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func suggestions(_ state: Suggestion.State? = .pending) throws(CorrectionStoreError) -> [NumberedSuggestion] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM suggestion WHERE ?1 IS NULL OR state = ?1 ORDER BY id", arguments: [state?.rawValue]
      ).map { NumberedSuggestion($0) }
    }
  }

  /// Accepts a suggestion: its item belongs to the proposed section from now on.
  ///
  /// - Parameter section: Another section than the proposed one, where the person knows better.
  /// - Returns: The correction that was written.
  /// - Throws: `CorrectionStoreError` when there is no such suggestion, or it was decided before.
  @discardableResult
  public func accept(_ id: Int, section: String? = nil, time: Int) throws(CorrectionStoreError) -> Correction {
    if let section { try check(section, "section") }
    guard let correction = try decide([id], to: .accepted, section: section, time: time).first.flatMap({ $0 }) else {
      throw CorrectionStoreError(path, .system, "suggestion \(id) was not accepted; try again")
    }
    return correction
  }

  /// Decides suggestions, all in one transaction.
  ///
  /// - Returns: The corrections that accepting them wrote, in order; `nil` for each one dismissed.
  /// - Throws: `CorrectionStoreError` when one does not exist or was decided before; nothing is changed then.
  @discardableResult
  public func decide(
    _ ids: [Int], to state: Suggestion.State, section: String? = nil, time: Int
  ) throws(CorrectionStoreError) -> [Correction?] {
    try write { database in
      let verb = state == .accepted ? "accept" : "dismiss"
      var action = try Action(
        ids.count == 1 ? "\(verb) suggestion \(ids[0])" : "\(verb) \(ids.count) suggestions", at: time, in: database)
      return try ids.map { id in
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM suggestion WHERE id = ?", arguments: [id]) else {
          throw CorrectionStoreError(self.path, .invalid, "no suggestion \(id); `aisle suggestions list` shows them")
        }
        let suggestion = NumberedSuggestion(row).suggestion
        guard suggestion.state == .pending else {
          throw CorrectionStoreError(self.path, .invalid, "suggestion \(id) was \(suggestion.state.rawValue) before")
        }
        try action.set(id, to: state, before: suggestion.state)
        guard state == .accepted else { return nil }
        let correction = Correction(
          store: suggestion.store, item: suggestion.item, section: section ?? suggestion.to,
          shelf: section == nil || section == suggestion.to ? suggestion.shelf : nil,
          origin: Origin(proposer: suggestion.origin.proposer, model: suggestion.origin.model, time: time))
        try action.put(correction, key: row["key"])
        return correction
      }
    }
  }
}

extension NumberedSuggestion {
  init(_ row: Row) {
    let state: String = row["state"]
    self.init(
      id: row["id"],
      suggestion: Suggestion(
        store: row["store"], item: row["item"], from: row["from_section"], to: row["to_section"], shelf: row["shelf"],
        confidence: row["confidence"], origin: Origin(proposer: row["proposer"], model: row["model"], time: row["time"]),
        state: Suggestion.State(rawValue: state) ?? .pending))
  }
}
