import GRDB

/// A successful check of a list.
public struct ListCheck: Sendable, Hashable {
  /// The store's id.
  public var store: String
  /// The list's name, e.g. its path.
  public var list: String
  /// The fingerprint of the list as it was checked.
  public var fingerprint: String
  /// The fingerprint of the list with the model's sections.
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
  /// The last successful check of a list; `nil` if there is none.
  ///
  /// - Throws: `CorrectionStoreError`.
  public func lastCheck(of list: String, store: String) throws(CorrectionStoreError) -> ListCheck? {
    try read { database in
      guard try Self.knowsModels(database) else { return nil }
      return try Self.lastCheck(of: list, store: store, in: database)
    }
  }

  /// Records a check in one transaction and proposes its suggestions. A complete check also stores its fingerprint, and supersedes
  /// different suggestions of the list's previous check, unless another list has them too.
  ///
  /// - Parameter isWhole: Whether every item was checked.
  /// - Returns: The outcome of each suggestion, in order; `nil`, with nothing changed, if a check that began later was already
  ///   recorded.
  /// - Throws: `CorrectionStoreError`.
  public func record(
    _ check: ListCheck, proposing suggestions: [Suggestion], isWhole: Bool = true
  ) throws(CorrectionStoreError) -> [ProposalOutcome]? {
    try self.check(text: check.list, "list's name")
    let suggestions = suggestions.map { suggestion in
      var suggestion = suggestion
      suggestion.list = check.list
      return suggestion
    }
    let keys = try keys(of: suggestions)
    return try write { database -> [ProposalOutcome]? in
      if let last = try Self.lastCheck(of: check.list, store: check.store, in: database), last.time > check.time { return nil }
      let outcomes = try Self.propose(suggestions, keys, in: database)
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

  /// The pending suggestions of the last check of a list, oldest first.
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
