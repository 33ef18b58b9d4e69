import GRDB

/// One thing that a person did: what it changes is noted with how it was before, so that it can be undone as a whole.
struct Action {
  /// Its number.
  let id: Int64
  private let database: Database
  private let log: ChangeLog

  /// Whether an action can be undone, as `can_undo` says.
  enum Undoing: Int {
    /// No; or it was.
    case never = 0
    /// Yes, and by whoever undoes the last one.
    case always = 1
    /// Yes, but only by whoever names it: it was done on other machines.
    case byNumber = 2
  }

  /// Begins an action; the oldest ones are no longer remembered.
  init(_ what: String, at time: Int, _ undoing: Undoing = .always, _ log: ChangeLog? = nil, in database: Database) throws {
    self.database = database
    self.log = log ?? ChangeLog(database)
    try database.execute(
      sql: "INSERT INTO action (what, time, can_undo) VALUES (?, ?, ?)",
      arguments: [String(what.prefix(200)), time, undoing.rawValue])
    id = database.lastInsertedRowID
    try database.execute(sql: "DELETE FROM action WHERE id <= ?", arguments: [id - Int64(CorrectionStore.rememberedActions)])
  }

  // MARK: Corrections

  /// The correction that an item has in a store.
  static func correction(store: String, key: String, in database: Database) throws -> Correction? {
    try correctionRow(store, key, in: database).map { try Correction($0) }
  }

  private static func correctionRow(_ store: String, _ key: String, in database: Database) throws -> Row? {
    let find = try database.cachedStatement(sql: "\(Correction.rows) WHERE store = ? AND key = ?")
    return try Row.fetchOne(find, arguments: [store, key])
  }

  /// Writes a correction and gives the one it replaces. What was proposed for the item waits no longer: a person has said where it
  /// belongs.
  ///
  /// - Parameter moment: When it came to be so; `nil` for when it was taught.
  @discardableResult
  func put(_ correction: Correction, key: String, _ moment: ChangeLog.Moment? = nil) throws -> Correction? {
    let before = try restore(correction, key: key, moment ?? .now(correction.origin.time))
    let find = try database.cachedStatement(sql: "SELECT * FROM suggestion WHERE store = ? AND key = ? AND state = 'pending'")
    for row in try Row.fetchAll(find, arguments: [correction.store, key]) { try change(row, to: .superseded) }
    return before
  }

  /// Writes a correction as it was, and gives the one it replaces.
  ///
  /// - Parameter number: Its number, where it had one before; numbers are never given twice, so it is free.
  @discardableResult
  func restore(_ correction: Correction, key: String, number: Int64? = nil, _ moment: ChangeLog.Moment) throws -> Correction? {
    let before = try Self.correctionRow(correction.store, key, in: database)
    let write = try database.cachedStatement(
      sql: """
        INSERT INTO correction (id, store, key, item, section, shelf, proposer, model, time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (store, key) DO UPDATE SET item = excluded.item, section = excluded.section, shelf = excluded.shelf,
          proposer = excluded.proposer, model = excluded.model, time = excluded.time
        """)
    try write.execute(arguments: [
      number, correction.store, key, correction.item, correction.section, correction.shelf, correction.origin.proposer,
      correction.origin.model, correction.origin.time,
    ])
    let id: Int64 = try before?.value("id") ?? database.lastInsertedRowID
    try setAccepter(correction.origin.accepter, of: id)
    try note(id, before)
    try log.note(correction, key: key, moment)
    return try before.map { try Correction($0) }
  }

  private func setAccepter(_ person: String?, of correction: Int64) throws {
    guard let person else {
      return try database.cachedStatement(sql: "DELETE FROM acceptance WHERE correction = ?").execute(arguments: [correction])
    }
    let write = try database.cachedStatement(sql: "INSERT OR REPLACE INTO acceptance (correction, person) VALUES (?, ?)")
    try write.execute(arguments: [correction, person])
  }

  /// Removes a correction.
  ///
  /// - Parameter person: Who forgets it.
  func remove(_ correction: Int64, by person: String, _ moment: ChangeLog.Moment) throws {
    let find = try database.cachedStatement(sql: "\(Correction.rows) WHERE id = ?")
    guard let before = try Row.fetchOne(find, arguments: [correction]) else { return }
    try remove(before, item: before.value("item"), by: person, moment)
  }

  /// Removes the correction that an item has in a store, if any.
  ///
  /// - Parameter item: The item as who forgets it wrote it.
  func remove(store: String, key: String, item: String, by person: String, _ moment: ChangeLog.Moment) throws {
    guard let before = try Self.correctionRow(store, key, in: database) else { return }
    try remove(before, item: item, by: person, moment)
  }

  private func remove(_ before: Row, item: String, by person: String, _ moment: ChangeLog.Moment) throws {
    let correction: Int64 = try before.value("id")
    try database.cachedStatement(sql: "DELETE FROM correction WHERE id = ?").execute(arguments: [correction])
    try note(correction, before)
    try log.noteForgotten(store: before.value("store"), key: before.value("key"), item: item, by: person, moment)
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
    guard let person = try before.flatMap({ try Correction($0).origin.accepter }) else { return }
    try database.cachedStatement(sql: "INSERT INTO former_acceptance (revision, person) VALUES (?, ?)")
      .execute(arguments: [database.lastInsertedRowID, person])
  }

  // MARK: Suggestions

  /// Changes a suggestion's state, sections, or both.
  ///
  /// - Parameter row: The suggestion as it is stored.
  func change(_ row: Row, to state: Suggestion.State, from: String? = nil, to section: String? = nil) throws {
    let (number, before): (Int64, String) = (try row.value("id"), try row.value("state"))
    let (oldFrom, oldTo): (String, String) = (try row.value("from_section"), try row.value("to_section"))
    try database.cachedStatement(sql: "UPDATE suggestion SET state = ?, from_section = ?, to_section = ? WHERE id = ?")
      .execute(arguments: [state.rawValue, from ?? oldFrom, section ?? oldTo, number])
    try database.cachedStatement(
      sql: "INSERT INTO change (action, suggestion, from_section, to_section, state) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [id, number, oldFrom, oldTo, before])
  }
}
