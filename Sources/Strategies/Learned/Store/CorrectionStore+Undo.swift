import GRDB

extension CorrectionStore {
  /// Undoes an action: a correction, an accept or dismiss, a forget, an import or merge, or a renamed section.
  ///
  /// Called again without a number, it undoes the action before that, up to the last 1,000.
  ///
  /// - Parameters:
  ///   - number: The action's number, as returned by a call; `nil` for the last action, other than taking up changes of other machines.
  ///   - person: Who undoes it, as other machines are told.
  ///   - time: The time, in milliseconds since 1970 in UTC.
  /// - Returns: What was undone, e.g. `accept suggestion 12`; `nil` if there is nothing to undo.
  /// - Throws: `CorrectionStoreError`, also if a later action changed the same corrections or suggestions.
  public func undo(_ number: Int? = nil, by person: String? = nil, time: Int) throws(CorrectionStoreError) -> String? {
    if let person { try check(person, "person") }
    try check(time: time)
    return try write { database in
      let found = try Row.fetchOne(
        database,
        sql: """
          SELECT id, what FROM action WHERE (?1 IS NULL AND can_undo = ?2) OR (id = ?1 AND can_undo) ORDER BY id DESC LIMIT 1
          """, arguments: [number, Action.Undoing.always.rawValue])
      guard let found else { return nil }
      let (id, what): (Int64, String) = (try found.value("id"), try found.value("what"))
      let overtaken = CorrectionStoreError(
        self.path, .invalid, "`\(what)` cannot be undone: a later action changed the same entries")
      if try isOvertaken(id, in: database) { throw overtaken }
      let action = try Action("undo \(what)", at: time, .never, in: database)
      let changes = try Row.fetchAll(
        database,
        sql: """
          SELECT change.*, former_acceptance.person AS accepter
          FROM change LEFT JOIN former_acceptance ON former_acceptance.revision = change.revision
          WHERE action = ? ORDER BY change.revision DESC
          """, arguments: [id])
      for change in changes {
        guard try Self.takeBack(change, action, by: person ?? Self.nobody, time: time, in: database) else { throw overtaken }
      }
      try database.execute(sql: "UPDATE action SET can_undo = 0 WHERE id = ?", arguments: [id])
      return what
    }
  }

  /// Makes what a change changed as it was before.
  ///
  /// - Returns: whether that can be: not where the item was taught again since it was forgotten.
  private static func takeBack(
    _ change: Row, _ action: Action, by person: String, time: Int, in database: Database
  ) throws -> Bool {
    if let suggestion: Int64 = try change.value("suggestion") {
      let find = try database.cachedStatement(sql: "SELECT * FROM suggestion WHERE id = ?")
      guard let row = try Row.fetchOne(find, arguments: [suggestion]) else { return true }
      let state = Suggestion.State(rawValue: try change.value("state")) ?? .pending
      let (from, to): (String, String) = (try change.value("from_section"), try change.value("to_section"))
      if try hasTwin(row, from, to, in: database) {
        // What another one asks by now waits no longer.
        try action.change(row, to: state == .pending ? .superseded : state)
      } else {
        try action.change(row, to: state, from: from, to: to)
      }
    } else if let correction: Int64 = try change.value("correction") {
      guard try change.value("existed") else {
        try action.remove(correction, by: person, .now(time))
        return true
      }
      let (store, key): (String, String) = (try change.value("store"), try change.value("key"))
      let find = try database.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM correction WHERE store = ? AND key = ? AND id <> ?)")
      if try Bool.fetchOne(find, arguments: [store, key, correction]) == true { return false }
      try action.restore(Correction(change), key: key, number: correction, .now(time))
    }
    return true
  }

  /// Whether an action that still stands changed something after `action` did.
  private func isOvertaken(_ action: Int64, in database: Database) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (
          SELECT 1 FROM change AS later JOIN action ON action.id = later.action AND action.can_undo
          WHERE later.action > ?1 AND (
            later.correction IN (SELECT correction FROM change WHERE action = ?1)
            OR later.suggestion IN (SELECT suggestion FROM change WHERE action = ?1)))
        """, arguments: [action]) ?? false
  }
}
