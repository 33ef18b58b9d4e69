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

  /// Records a check that succeeded: its suggestions are proposed, what an older check of the list proposed otherwise waits no longer,
  /// and its fingerprint is remembered; all of it or nothing.
  ///
  /// - Returns: What became of each suggestion, in order; `nil`, and nothing is changed, where a check that began later was recorded
  ///   already.
  /// - Throws: `CorrectionStoreError`.
  public func record(_ check: ListCheck, proposing suggestions: [Suggestion]) throws(CorrectionStoreError) -> [ProposalOutcome]? {
    try self.check(text: check.list, "list's name")
    let keys = try keys(of: suggestions)
    return try write { database -> [ProposalOutcome]? in
      if let last = try Self.lastCheck(of: check.list, store: check.store, in: database), last.time > check.time { return nil }
      let outcomes = try Self.propose(suggestions, keys, checkedList: check.list, store: check.store, in: database)
      try database.execute(
        sql: "INSERT OR REPLACE INTO checked_list (store, list, fingerprint, agreed, time) VALUES (?, ?, ?, ?, ?)",
        arguments: [check.store, check.list, check.fingerprint, check.agreed, check.time])
      return outcomes
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
