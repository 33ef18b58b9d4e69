import AisleCore
import GRDB

extension CorrectionStore {
  /// The outcome of a proposal.
  public enum ProposalOutcome: Sendable, Hashable {
    /// It is pending under this number.
    case added(Int)
    /// It was already pending, and now has the newer confidence, origin, and list.
    case known(Int)
    /// A person dismissed it earlier, so it is not proposed again.
    case dismissed(Int)
    /// The item's correction agrees or is newer than the proposal, so it is not proposed.
    case corrected
  }

  /// Proposes section changes in one transaction; nothing is learned until a person accepts one.
  ///
  /// A change that was dismissed for the same normalized item and the same two sections is not proposed again. Neither is a change to an
  /// item that was corrected since `Origin.time`, so that a slow check never overrules a person.
  ///
  /// - Returns: The outcome of each, in order.
  /// - Throws: `CorrectionStoreError`; then nothing is proposed.
  @discardableResult
  public func propose(_ suggestions: [Suggestion]) throws(CorrectionStoreError) -> [ProposalOutcome] {
    let keys = try keys(of: suggestions)
    return try write { try Self.propose(suggestions, keys, in: $0) }
  }

  /// Proposes changes of section within a transaction.
  static func propose(_ suggestions: [Suggestion], _ keys: [String], in database: Database) throws -> [ProposalOutcome] {
    try zip(suggestions, keys).map { try propose($0, key: $1, in: database) }
  }

  /// Lets a suggestion wait no longer.
  static func supersede(_ id: Int, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE suggestion SET state = 'superseded' WHERE id = ? AND state = 'pending'")
      .execute(arguments: [id])
  }

  private static func propose(_ suggestion: Suggestion, key: String, in database: Database) throws -> ProposalOutcome {
    let corrected = try database.cachedStatement(sql: "SELECT section, time FROM correction WHERE store = ? AND key = ?")
    if let row = try Row.fetchOne(corrected, arguments: [suggestion.store, key]) {
      let (section, time): (String, Int) = (try row.value("section"), try row.value("time"))
      if section == suggestion.to || time > suggestion.origin.time { return .corrected }
    }
    guard let row = try row(suggestion, key, in: database) else { return .added(try insert(suggestion, key: key, in: database)) }
    let (id, state): (Int, String) = (try row.value("id"), try row.value("state"))
    if state == Suggestion.State.dismissed.rawValue { return .dismissed(id) }
    let update = try database.cachedStatement(
      sql: """
        UPDATE suggestion SET state = 'pending', item = ?, shelf = ?, confidence = ?, list = ?, proposer = ?, model = ?, time = ?
        WHERE id = ?
        """)
    try update.execute(arguments: [
      suggestion.item, suggestion.shelf, suggestion.confidence, suggestion.list, suggestion.origin.proposer,
      suggestion.origin.model, suggestion.origin.time, id,
    ])
    return state == Suggestion.State.pending.rawValue ? .known(id) : .added(id)
  }

  /// Imports either all suggestions, with their states, or none. If two are for the same item and sections, a decided one is
  /// kept.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func importSuggestions(_ suggestions: [Suggestion]) throws(CorrectionStoreError) -> Outcome {
    let keys = try keys(of: suggestions)
    return try write { database in
      var outcome = Outcome()
      for (suggestion, key) in zip(suggestions, keys) {
        guard let known = try Self.row(suggestion, key, in: database) else {
          _ = try Self.insert(suggestion, key: key, in: database)
          outcome.added += 1
          continue
        }
        let state: String = try known.value("state")
        let isTaken = state == Suggestion.State.pending.rawValue && suggestion.state != .pending
        if isTaken {
          try database.execute(
            sql: "UPDATE suggestion SET state = ? WHERE id = ?",
            arguments: [suggestion.state.rawValue, try known.value("id") as Int64])
        }
        outcome.replaced += isTaken ? 1 : 0
        outcome.unchanged += isTaken ? 0 : 1
      }
      return outcome
    }
  }

  func keys(of suggestions: [Suggestion]) throws(CorrectionStoreError) -> [String] {
    var keys: [String] = []
    for suggestion in suggestions { keys.append(try key(of: suggestion)) }
    return keys
  }

  /// Whether a suggestion can be kept.
  package func canKeep(_ suggestion: Suggestion) -> Bool { (try? key(of: suggestion)) != nil }

  private func key(of suggestion: Suggestion) throws(CorrectionStoreError) -> String {
    try check(suggestion.from, "section")
    try check(suggestion.to, "section")
    try check(suggestion.origin)
    if let list = suggestion.list { try check(text: list, "list's name") }
    if let confidence = suggestion.confidence, !(0...1).contains(confidence) {
      throw CorrectionStoreError(path, .invalid, "a suggestion has the confidence \(confidence); it must be in 0…1")
    }
    return try key(store: suggestion.store, item: suggestion.item)
  }

  private static func row(_ suggestion: Suggestion, _ key: String, in database: Database) throws -> Row? {
    let find = try database.cachedStatement(
      sql: "SELECT id, state FROM suggestion WHERE store = ? AND key = ? AND from_section = ? AND to_section = ?")
    return try Row.fetchOne(find, arguments: [suggestion.store, key, suggestion.from, suggestion.to])
  }

  private static func insert(_ suggestion: Suggestion, key: String, in database: Database) throws -> Int {
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO suggestion (store, key, item, from_section, to_section, shelf, confidence, list, proposer, model, time, state)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try insert.execute(arguments: [
      suggestion.store, key, suggestion.item, suggestion.from, suggestion.to, suggestion.shelf, suggestion.confidence,
      suggestion.list, suggestion.origin.proposer, suggestion.origin.model, suggestion.origin.time, suggestion.state.rawValue,
    ])
    return Int(database.lastInsertedRowID)
  }

  // MARK: Deciding

  /// The suggestions in a state, or all, oldest first.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func suggestions(_ state: Suggestion.State? = .pending) throws(CorrectionStoreError) -> [NumberedSuggestion] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM suggestion WHERE ?1 IS NULL OR state = ?1 ORDER BY id", arguments: [state?.rawValue]
      ).map { try NumberedSuggestion($0) }
    }
  }

  /// The suggestions with these numbers, in whatever state, in order; those that there are not are left out.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func suggestions(numbered ids: [Int]) throws(CorrectionStoreError) -> [NumberedSuggestion] {
    try read { database in
      let find = try database.cachedStatement(sql: "SELECT * FROM suggestion WHERE id = ?")
      return try ids.compactMap { try Row.fetchOne(find, arguments: [$0]).map { try NumberedSuggestion($0) } }
    }
  }

  /// The result of deciding suggestions.
  public struct DecisionOutcome: Sendable, Hashable {
    /// The number for undoing it.
    public let action: Int
    /// The suggestions, in the order they were named, with their new state.
    public let suggestions: [NumberedSuggestion]
    /// The corrections that accepting them wrote, in order.
    public let corrections: [Correction]
  }

  /// Accepts or dismisses suggestions in one transaction. An accepted one becomes a correction, and other suggestions for its item are
  /// no longer pending: of several for one item, the first that is named is accepted. A dismissed one is not proposed again.
  ///
  /// - Parameters:
  ///   - ids: The suggestions' numbers; a repeated number counts once.
  ///   - section: The section to use instead of the proposed one, if any. If it is another, the correction is the person's, and neither
  ///     the proposer's nor the model's.
  ///   - person: Who decides.
  ///   - time: The time, in milliseconds since 1970 in UTC.
  /// - Throws: `CorrectionStoreError` if one does not exist or was already decided; then nothing changes.
  @discardableResult
  public func decide(
    _ ids: [Int], _ verdict: Verdict, section: String? = nil, by person: String? = nil, time: Int
  ) throws(CorrectionStoreError) -> DecisionOutcome {
    if let section { try check(section, "section") }
    if let person { try check(person, "person") }
    try check(time: time)
    return try write { database in
      let action = try Action(
        ids.count == 1 ? "\(verdict.rawValue) suggestion \(ids[0])" : "\(verdict.rawValue) \(ids.count) suggestions", at: time,
        in: database)
      var (decided, corrections): ([NumberedSuggestion], [Correction]) = ([], [])
      var corrected: Set<StoreItem> = []
      for id in ids where !decided.contains(where: { $0.id == id }) {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM suggestion WHERE id = ?", arguments: [id]) else {
          throw CorrectionStoreError(self.path, .invalid, "no suggestion \(id); `aisle suggestions list` shows them")
        }
        var suggestion = try NumberedSuggestion(row).suggestion
        let item = StoreItem(store: suggestion.store, key: try row.value("key"))
        if suggestion.state == .superseded, corrected.contains(item) {
          decided.append(NumberedSuggestion(id: id, suggestion: suggestion))
          continue
        }
        guard suggestion.state == .pending else {
          throw CorrectionStoreError(self.path, .invalid, "suggestion \(id) is already \(suggestion.state.rawValue)")
        }
        suggestion.state = verdict == .accept ? .accepted : .dismissed
        try action.change(row, to: suggestion.state)
        decided.append(NumberedSuggestion(id: id, suggestion: suggestion))
        guard verdict == .accept else { continue }
        let isAsProposed = section == nil || section == suggestion.to
        let correction = Correction(
          store: suggestion.store, item: suggestion.item, section: section ?? suggestion.to,
          shelf: isAsProposed ? suggestion.shelf : nil,
          origin: isAsProposed
            ? Origin(proposer: suggestion.origin.proposer, model: suggestion.origin.model, accepter: person, time: time)
            : Origin(proposer: person ?? Self.nobody, time: time))
        try action.put(correction, key: item.key)
        corrections.append(correction)
        corrected.insert(item)
      }
      return DecisionOutcome(action: Int(action.id), suggestions: decided, corrections: corrections)
    }
  }

  private struct StoreItem: Hashable {
    let store: String
    let key: String
  }

  /// Who a correction is by where a person chose its section and nobody said who.
  static let nobody = "someone"

  /// A person's verdict on a suggestion.
  public enum Verdict: String, Sendable {
    /// Its item belongs to the proposed section.
    case accept
    /// It does not.
    case dismiss
  }
}

extension CorrectionStore.ProposalOutcome {
  /// The number of the pending suggestion; `nil` if none is pending.
  public var waiting: Int? {
    switch self {
    case .added(let id), .known(let id): id
    case .dismissed, .corrected: nil
    }
  }
}

extension NumberedSuggestion {
  init(_ row: Row) throws {
    let state: String = try row.value("state")
    try self.init(
      id: row.value("id"),
      suggestion: Suggestion(
        store: row.value("store"), item: row.value("item"), from: row.value("from_section"), to: row.value("to_section"),
        shelf: row.value("shelf"), confidence: row.value("confidence"), list: row.value("list"),
        origin: Origin(proposer: row.value("proposer"), model: row.value("model"), time: row.value("time")),
        state: Suggestion.State(rawValue: state) ?? .pending))
  }
}
