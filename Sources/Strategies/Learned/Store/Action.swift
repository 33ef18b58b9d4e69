import GRDB

/// One thing that a person did: what it changes is noted with how it was before, so that it can be undone as a whole.
struct Action {
  private let database: Database
  private let id: Int64

  /// Begins an action; the oldest ones are no longer remembered.
  init(_ what: String, at time: Int, canUndo: Bool = true, in database: Database) throws {
    self.database = database
    try database.execute(
      sql: "INSERT INTO action (what, time, can_undo) VALUES (?, ?, ?)", arguments: [String(what.prefix(200)), time, canUndo])
    id = database.lastInsertedRowID
    try database.execute(sql: "DELETE FROM action WHERE id <= ?", arguments: [id - Int64(CorrectionStore.rememberedActions)])
  }

  /// The correction that an item has in a store.
  func correction(store: String, key: String) throws -> Correction? {
    let find = try database.cachedStatement(sql: "SELECT * FROM correction WHERE store = ? AND key = ?")
    return try Row.fetchOne(find, arguments: [store, key]).map { Correction($0) }
  }

  /// Writes a correction and gives the one it replaces.
  @discardableResult
  mutating func put(_ correction: Correction, key: String) throws -> Correction? {
    let find = try database.cachedStatement(sql: "SELECT * FROM correction WHERE store = ? AND key = ?")
    let before = try Row.fetchOne(find, arguments: [correction.store, key])
    let write = try database.cachedStatement(
      sql: """
        INSERT INTO correction (store, key, item, section, shelf, proposer, model, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (store, key) DO UPDATE SET item = excluded.item, section = excluded.section, shelf = excluded.shelf,
          proposer = excluded.proposer, model = excluded.model, time = excluded.time
        """)
    try write.execute(arguments: [
      correction.store, key, correction.item, correction.section, correction.shelf, correction.origin.proposer,
      correction.origin.model, correction.origin.time,
    ])
    try note(before?["id"] ?? database.lastInsertedRowID, before)
    return before.map { Correction($0) }
  }

  /// Removes a correction.
  mutating func remove(_ correction: Int64) throws {
    let find = try database.cachedStatement(sql: "SELECT * FROM correction WHERE id = ?")
    guard let before = try Row.fetchOne(find, arguments: [correction]) else { return }
    try database.cachedStatement(sql: "DELETE FROM correction WHERE id = ?").execute(arguments: [correction])
    try note(correction, before)
  }

  /// Decides a suggestion, or takes that back.
  mutating func set(_ suggestion: Int, to state: Suggestion.State, before: Suggestion.State) throws {
    try database.cachedStatement(sql: "UPDATE suggestion SET state = ? WHERE id = ?").execute(
      arguments: [state.rawValue, suggestion])
    try database.cachedStatement(sql: "INSERT INTO change (action, suggestion, state) VALUES (?, ?, ?)").execute(
      arguments: [id, suggestion, before.rawValue])
  }

  private func note(_ correction: Int64, _ before: Row?) throws {
    let note = try database.cachedStatement(
      sql: """
        INSERT INTO change (action, correction, existed, store, key, item, section, shelf, proposer, model, time)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let columns = ["store", "key", "item", "section", "shelf", "proposer", "model", "time"]
    let values: [DatabaseValue] = columns.map { before?[$0] ?? .null }
    try note.execute(arguments: [id, correction, before != nil] + StatementArguments(values))
  }
}
