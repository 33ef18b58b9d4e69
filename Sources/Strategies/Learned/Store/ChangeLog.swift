import GRDB

/// Notes, in a transaction, what other machines are told: the last that happened to each item, under numbers that grow.
final class ChangeLog {
  private let database: Database
  private var isMarked = false

  init(_ database: Database) { self.database = database }

  /// When something came to be as it is.
  enum Moment {
    /// Now, by a clock: later than what was there before, even if the clock says otherwise.
    case now(Int)
    /// Then, as another machine said.
    case told(Int)
  }

  /// So many changes may be made until a machine that asks for those since gets all again.
  private static let rememberedChanges: Int64 = 100_000

  /// The last that happened to an item; `nil` for nothing.
  func last(store: String, key: String) throws -> SharedChange? {
    let find = try database.cachedStatement(sql: "\(Self.rows) WHERE shared.store = ? AND shared.key = ?")
    return try Row.fetchOne(find, arguments: [store, key]).map { try SharedChange($0) }
  }

  /// Notes that an item was taught.
  func note(_ correction: Correction, key: String, _ moment: Moment) throws {
    try note(store: correction.store, key: key, forgotten: nil, by: nil, moment)
  }

  /// Notes that an item's correction was forgotten.
  func noteForgotten(store: String, key: String, item: String, by person: String, _ moment: Moment) throws {
    try note(store: store, key: key, forgotten: item, by: person, moment)
  }

  private func note(store: String, key: String, forgotten item: String?, by person: String?, _ moment: Moment) throws {
    let time =
      switch moment {
      case .told(let time): time
      case .now(let time): try min(max(time, (lastTime(store, key) ?? time - 1) + 1), Timestamp.range.upperBound)
      }
    let revision = try Self.lastRevision(in: database) + 1
    try mark(revision)
    let write = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO shared (revision, store, key, time, item, person) VALUES (?, ?, ?, ?, ?, ?)")
    try write.execute(arguments: [revision, store, key, time, item, person])
  }

  private func lastTime(_ store: String, _ key: String) throws -> Int? {
    let find = try database.cachedStatement(sql: "SELECT time FROM shared WHERE store = ? AND key = ?")
    return try Int.fetchOne(find, arguments: [store, key])
  }

  /// Some changes after one, in order, with the number of the last of them: at most `limit`, and fewer if they are long.
  static func changes(
    after start: Int64, limit: Int, in database: Database
  ) throws -> (changes: [SharedChange], end: Int64, hasMore: Bool) {
    let find = try database.cachedStatement(sql: "\(rows) WHERE shared.revision > ? ORDER BY shared.revision LIMIT ?")
    let found = try Row.fetchCursor(find, arguments: [start, limit + 1])
    var (changes, end, size): ([SharedChange], Int64, Int) = ([], start, 0)
    while let row = try found.next() {
      let change = try SharedChange(row)
      size += change.size
      if changes.count == limit || !changes.isEmpty && size > maximumSize { return (changes, end, true) }
      changes.append(change)
      end = try row.value("revision")
    }
    return (changes, end, false)
  }

  /// So many bytes may be told at once: servers and clients take up to 1 MiB.
  private static let maximumSize = 900_000

  /// The number of the last change.
  static func lastRevision(in database: Database) throws -> Int64 {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(revision) FROM shared")) ?? 0
  }

  /// Marks the first change of the transaction, and so those that follow.
  private func mark(_ revision: Int64) throws {
    if isMarked { return }
    try database.cachedStatement(sql: "INSERT INTO change_mark (revision, mark) VALUES (?, random())").execute(arguments: [
      revision
    ])
    // The last one of those too old stays: what it marks may reach further.
    try database.cachedStatement(
      sql: "DELETE FROM change_mark WHERE revision < (SELECT max(revision) FROM change_mark WHERE revision <= ?)"
    ).execute(arguments: [revision - Self.rememberedChanges])
    isMarked = true
  }

  /// The statement that gives what is told.
  static let rows = """
    SELECT shared.revision, shared.store, shared.time AS changed, shared.item AS forgotten, shared.person, correction.item,
      correction.section, correction.shelf, correction.proposer, correction.model, correction.time, acceptance.person AS accepter
    FROM shared LEFT JOIN correction ON correction.store = shared.store AND correction.key = shared.key
      LEFT JOIN acceptance ON acceptance.correction = correction.id
    """
}

extension SharedChange {
  /// The most bytes that it can have as JSON.
  fileprivate var size: Int {
    let texts = [store, item, section, shelf, origin.proposer, origin.model, origin.accepter]
    return texts.reduce(250) { $0 + 6 * ($1?.utf8.count ?? 0) }
  }

  /// Reads a row of `ChangeLog.rows`.
  init(_ row: Row) throws {
    let time: Int = try row.value("changed")
    if let person: String = try row.value("person") {
      try self.init(
        store: row.value("store"), item: row.value("forgotten"), section: nil, origin: Origin(proposer: person, time: time))
    } else {
      try self.init(Correction(row), time: time)
    }
  }
}
