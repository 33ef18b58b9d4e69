import GRDB

extension CorrectionSchema {
  /// Something that a database has besides rows: what SQLite keeps of the statement that made it.
  struct Part: Hashable {
    let type: String
    let name: String
    let table: String
    let statement: String
  }

  /// Checks that a database has the tables and indexes of its version, as the statements above make them, and nothing else.
  ///
  /// A view in place of a table, a trigger or a computed column would run whatever somebody wrote into it when rows are read or written.
  /// The list of all that there is can be read without that.
  ///
  /// - Throws: `CorrectionStoreError`.
  static func check(_ database: Database, _ file: DatabaseFile) throws {
    let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    var missing = Set(steps.prefix(Int(max(version, 0))).joined().compactMap(part))
    let tables = Set(missing.map(\.table))
    for row in try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master") {
      func text(_ column: Int) throws -> String { try row.decode(String?.self, atIndex: column) ?? "" }
      let part = try Part(type: text(0), name: text(1), table: text(2), statement: text(3))
      let isKnown = missing.remove(part) != nil || ofSQLite.contains(part) || isAutomaticIndex(part, tables)
      if !isKnown { throw foreign("has \(part.type) `\(part.name)` that differs from aisle's", file) }
    }
    if let part = missing.min(by: { $0.name < $1.name }) { throw foreign("lacks \(part.type) `\(part.name)`", file) }
  }

  private static func foreign(_ what: String, _ file: DatabaseFile) -> CorrectionStoreError {
    CorrectionStoreError(
      file.name, .foreign, "\(String(what.prefix(200))) and was left as it is; restore a backup, or use another file")
  }

  /// What SQLite remembers of a statement; `nil` for one that only writes rows.
  private static func part(_ statement: String) -> Part? {
    let words = statement.split(separator: " ", maxSplits: 5).map(String.init)
    guard words.count > 3, words[0] == "CREATE" else { return nil }
    let isIndex = words[1] == "INDEX"
    return Part(type: words[1].lowercased(), name: words[2], table: isIndex ? words[4] : words[2], statement: statement)
  }

  /// Whether SQLite made an index by itself, of a table of ours.
  private static func isAutomaticIndex(_ part: Part, _ tables: Set<String>) -> Bool {
    part.type == "index" && part.statement.isEmpty && tables.contains(part.table)
      && part.name.hasPrefix("sqlite_autoindex_\(part.table)_")
  }

  /// The tables that SQLite makes by itself: the last numbers given, and what `ANALYZE` finds.
  private static let ofSQLite: Set<Part> = Set(
    [("sqlite_sequence", "name,seq"), ("sqlite_stat1", "tbl,idx,stat"), ("sqlite_stat4", "tbl,idx,neq,nlt,ndlt,sample")].map {
      Part(type: "table", name: $0, table: $0, statement: "CREATE TABLE \($0)(\($1))")
    })
}
