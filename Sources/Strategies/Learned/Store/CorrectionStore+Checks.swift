import GRDB

/// A check of a list that succeeded.
public struct ListCheck: Sendable, Hashable {
  /// The store's id.
  public var store: String
  /// The list's name, e.g. its path.
  public var list: String
  /// What tells the list as it was checked from any other.
  public var fingerprint: String
  /// The same of the list as the model would have it.
  public var agreed: String
  /// When the check began, in milliseconds since 1970 in UTC.
  public var time: Int

  /// Makes a check.
  public init(store: String, list: String, fingerprint: String, agreed: String, time: Int) {
    self.store = store
    self.list = list
    self.fingerprint = fingerprint
    self.agreed = agreed
    self.time = time
  }
}

extension CorrectionStore {
  /// The last check of a list that succeeded; `nil` where there is none.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func lastCheck(of list: String, store: String) throws(CorrectionStoreError) -> ListCheck? {
    try read { database in
      guard try Self.knowsModels(database) else { return nil }
      return try Self.lastCheck(of: list, store: store, in: database)
    }
  }

  /// Records a check: its suggestions are proposed; where it is whole, its fingerprint is remembered, and what the check of the list
  /// before suggested otherwise waits no longer, unless another list has it too. All of it or nothing.
  ///
  /// - Parameter isWhole: Whether every item was checked.
  /// - Returns: What became of each suggestion, in order; `nil`, and nothing is changed, where a check that began later was recorded
  ///   already.
  /// - Throws: `CorrectionStoreError`.
  public func record(
    _ check: ListCheck, proposing suggestions: [Suggestion], isWhole: Bool = true
  ) throws(CorrectionStoreError) -> [ProposalOutcome]? {
    try self.check(text: check.list, "list's name")
    let keys = try keys(of: suggestions)
    return try write { database -> [ProposalOutcome]? in
      if let last = try Self.lastCheck(of: check.list, store: check.store, in: database), last.time > check.time { return nil }
      let outcomes = try Self.propose(suggestions, keys, checkedList: check.list, in: database)
      let standing = Set(outcomes.compactMap(\.waiting))
      if isWhole {
        try Self.supersede(exceptFor: standing, check, in: database)
        try database.execute(
          sql: "INSERT OR REPLACE INTO checked_list (store, list, fingerprint, agreed, time) VALUES (?, ?, ?, ?, ?)",
          arguments: [check.store, check.list, check.fingerprint, check.agreed, check.time])
      }
      let write = try database.cachedStatement(
        sql: "INSERT OR IGNORE INTO list_suggestion (store, list, suggestion) VALUES (?, ?, ?)")
      for id in standing { try write.execute(arguments: [check.store, check.list, id]) }
      return outcomes
    }
  }

  /// Lets what an older check of a list suggested wait no longer.
  private static func supersede(exceptFor standing: Set<Int>, _ check: ListCheck, in database: Database) throws {
    let before = try Int.fetchAll(
      database, sql: "SELECT suggestion FROM list_suggestion WHERE store = ? AND list = ?", arguments: [check.store, check.list])
    try database.execute(
      sql: "DELETE FROM list_suggestion WHERE store = ? AND list = ?", arguments: [check.store, check.list])
    let others = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM list_suggestion WHERE suggestion = ?)")
    for id in before where !standing.contains(id) {
      if try Bool.fetchOne(others, arguments: [id]) != true { try supersede(id, in: database) }
    }
  }

  /// The suggestions of the last check of a list that wait for a person, oldest first.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func suggestions(ofList list: String, store: String) throws(CorrectionStoreError) -> [NumberedSuggestion] {
    try read { database in
      guard try Self.knowsModels(database) else { return [] }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT suggestion.* FROM suggestion JOIN list_suggestion ON list_suggestion.suggestion = suggestion.id
          WHERE list_suggestion.store = ? AND list_suggestion.list = ? AND state = 'pending' ORDER BY id
          """, arguments: [store, list]
      ).map { try NumberedSuggestion($0) }
    }
  }

  private static func lastCheck(of list: String, store: String, in database: Database) throws -> ListCheck? {
    try Row.fetchOne(database, sql: "SELECT * FROM checked_list WHERE store = ? AND list = ?", arguments: [store, list]).map {
      row in
      try ListCheck(
        store: store, list: list, fingerprint: row.value("fingerprint"), agreed: row.value("agreed"), time: row.value("time"))
    }
  }
}
